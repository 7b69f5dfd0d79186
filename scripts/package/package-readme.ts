import { packageCaller } from '../../packages/server/src/platform/errors/command-line.ts';
import { listCommands } from '../command/command-help.ts';
import { productCommands } from '../command/product-commands.ts';

/** README of the package: enough to get started. */
export const packageReadme = (): string => `# Headgate

Self-hosted AI gateway: one endpoint for many model providers, exact quota accounting, and a console.

\`headgate\` starts it on <http://127.0.0.1:3000> with its data in \`./data\`. Sign in as \`root\` with password \`123456\` and
change it. Settings come from the environment or a \`.env\` file in the working directory.

\`headgate docs\` lists the documentation, \`headgate docs settings\` prints a page of it. The running gateway serves it under
\`/docs\`, and the reference of its API under \`/api/docs\`. \`headgate systemd\` prints a unit for systemd.

\`\`\`text
${listCommands(productCommands, packageCaller).trimEnd()}
\`\`\`

\`LICENSE\` is the license of Headgate, \`NOTICES.md\` lists the licenses of included software.
`;
