import { explainStartFailure } from '../../platform/config/start-refused';
import { TestRequestRefused } from './request-checks';
import { TestServer, type TestServerOptions } from './test-server';

/** Runs a test server until it is stopped. It prints a line for programs. */
export async function serveTests(
  options: TestServerOptions & { readonly withInput?: boolean },
): Promise<void> {
  try {
    const server = await TestServer.start(options);
    const stop = () => void server.stop().finally(() => process.exit(0));
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
    if (options.withInput) process.stdin.on('end', stop).on('error', stop).resume();
    process.stdout.write(`${JSON.stringify({ url: server.url, people: server.people.all() })}\n`);
  } catch (error) {
    const isRefused = error instanceof TestRequestRefused;
    process.stderr.write(isRefused ? `${error.message}\n` : explainStartFailure(error));
    process.exit(1);
  }
}
