import { buildApiDescription } from '../scripts/build-api-description';
import { buildApiPage, buildConsole } from '../scripts/build-console';

/** Servers that tests start have the console and the API description of now. */
export default async function setUp(): Promise<void> {
  await Promise.all([buildConsole(), buildApiPage()]);
  await buildApiDescription('describing');
}
