import { startGateway } from './bench-gateway.ts';
import { startPart } from './bench-parts.ts';
import type { BenchStage } from './bench-stage.ts';
import { compare } from './compare.ts';
import type { Figure } from './figures.ts';
import { type Address, jsonTarget } from './questions.ts';

/** Of what the relay does without traces. */
const bound = { speed: 0.95, effort: 1.05 };

export const traceFigureName = 'JSON, 1 % traced';

/** The relay with one request of a hundred traced, beside itself without traces. */
export async function traceFigures(stage: BenchStage, plain: Address): Promise<readonly Figure[]> {
  const { folder, upstream, cleanup, database, pace } = stage;
  const collector = await startPart('bench-collector.ts');
  cleanup.defer(() => collector.stop());
  const { server, key } = await startGateway(
    { dataDir: folder('traced'), databaseUrl: await database?.create('bench_traced') },
    {
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.01',
      },
    },
    upstream.port,
  );
  cleanup.defer(() => server.stop());
  const traced = jsonTarget({ url: server.address, pid: server.pid, key });
  const { figures } = await compare(traceFigureName, [jsonTarget(plain), traced], pace, bound);
  return figures.map((figure) => ({ ...figure, name: figure.name.replace("the pipe's", "the relay's without") }));
}
