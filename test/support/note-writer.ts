import 'reflect-metadata';
import { loadConfig } from '../../src/platform/config/load-config';
import { databaseOptions } from '../../src/platform/database/database.options';
import { TestPlatform } from './test-platform';

/**
 * A separate process for tests that kill one: writes notes until it is stopped, ten at a time, and sends how many were
 * acknowledged.
 */
async function writeNotes(): Promise<void> {
  const options = databaseOptions(loadConfig(process.env), {});
  const platform = await TestPlatform.open(options);
  await platform.transactions.run((tx) => tx.query('CREATE TABLE note (text TEXT NOT NULL)'));
  let acknowledged = 0;
  const write = async (): Promise<void> => {
    while (process.connected) {
      await platform.transactions.run((tx) => tx.query('INSERT INTO note (text) VALUES (?)', ['note']));
      process.send?.(++acknowledged);
    }
  };
  await Promise.all(Array.from({ length: 10 }, write));
}

void writeNotes();
