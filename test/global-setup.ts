import { buildConsole } from '../scripts/build-console';

/** Servers that tests start have the console as it is now. */
export default async function setUp(): Promise<void> {
  await buildConsole();
}
