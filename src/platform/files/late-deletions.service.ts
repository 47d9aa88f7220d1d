import { Injectable } from '@nestjs/common';
import { TransactionService } from '../database/transaction.service';
import { defineJob } from '../jobs/job';
import { Jobs } from '../jobs/jobs.service';
import { FileStore } from './file-store';

const fileDeletion = defineJob<{ readonly path: string }>('file_deletion');

const MINUTE_MS = 60_000;

/** Retry schedule, finally every hour. */
const RETRY = { delaysMs: [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS], forMs: 7 * 24 * 60 * MINUTE_MS };

/**
 * Deletes files that could not be deleted immediately: from a bucket that did not answer, and, during a quarantine,
 * from a bucket that may still belong to the server from which this one was restored.
 */
@Injectable()
export class LateDeletions {
  constructor(files: FileStore, jobs: Jobs, transactions: TransactionService) {
    jobs.handle(fileDeletion, {
      work: ({ data }) => files.deleteNow(data.path),
      retry: RETRY,
      timeoutMs: MINUTE_MS,
      leavesMachine: true,
    });
    files.postpone({
      isDue: () => jobs.quarantineReason !== null,
      note: async (path) => {
        const job = { kind: fileDeletion, key: path, data: { path } };
        await transactions.run((tx) => jobs.enqueue(tx, job));
      },
    });
  }
}
