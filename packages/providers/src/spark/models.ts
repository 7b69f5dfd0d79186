export const sparkModels: readonly string[] = [
  'Spark-Lite',
  'Spark-Pro',
  'Spark-Pro-128K',
  'Spark-Max',
  'Spark-Max-32K',
  'Spark-4.0-Ultra',
];
