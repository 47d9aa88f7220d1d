import 'reflect-metadata';
import { loadConfig } from '../../src/platform/config/load-config';
import { databaseOptions } from '../../src/platform/database/database.options';
import { defineJob } from '../../src/platform/jobs/job';
import { jobNode } from './job-node';
import { TestPlatform } from './test-platform';

/** A separate process for tests that kill one: starts a job, reports it, and never ends it. */
async function takeJob(): Promise<void> {
  const platform = await TestPlatform.open(databaseOptions(loadConfig(process.env), {}));
  const jobs = jobNode(platform);
  const kind = defineJob<string>('test');
  jobs.handle(kind, {
    work: async ({ data }) => {
      process.send?.(data);
      await new Promise(() => setInterval(() => undefined, 1_000));
    },
    retry: { delaysMs: [] },
    timeoutMs: 60_000,
  });
  await jobs.onApplicationBootstrap();
  await platform.transactions.run((tx) => jobs.enqueue(tx, { kind, data: 'left behind' }));
}

void takeJob();
