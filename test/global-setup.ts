import { buildApiDescription } from '../scripts/build-api-description';
import { buildConsole } from '../scripts/build-console';

/** Servers that tests start have the console and the API description of now. */
export default async function setUp(): Promise<void> {
  await buildConsole();
  await buildApiDescription('describing');
}
