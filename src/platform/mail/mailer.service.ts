import { Injectable, Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import { type JobKind, UnrecoverableError } from '../jobs/job';
import { Jobs } from '../jobs/jobs.service';
import { type Counter, Metrics } from '../metrics/metrics';
import type { MailMessage } from './mail-message';
import { handOver, type SmtpServer, smtpServerAt } from './smtp-connection';

/** When a mail that could not be handed over is tried again: often at first, then every hour for a day. */
const RETRY = {
  delaysMs: [10_000, 60_000, 300_000, 1_800_000, 3_600_000],
  forMs: 86_400_000,
} as const;

/** How long handing one over may take. */
const TIMEOUT_MS = 30_000;

const AT_ONCE = 2;

/**
 * Sends mails, by jobs that the features enqueue with their changes: a mail server that is slow or away delays nothing.
 * A job knows what the mail is about; its text, which may hold secrets, is put together when it is sent, and stored
 * nowhere.
 */
@Injectable()
export class Mailer {
  private readonly server: SmtpServer | null;
  private readonly kinds: JobKind<unknown>[] = [];
  private readonly attempts: Counter<'outcome'>;

  constructor(
    private readonly config: Config,
    private readonly jobs: Jobs,
    metrics: Metrics,
  ) {
    this.server = config.smtpUrl === null ? null : smtpServerAt(config.smtpUrl, config.allowSmtpWithoutTls);
    this.attempts = metrics.counter('parley_mail_attempts_total', 'Attempts to hand an email over.', [
      'outcome',
    ]);
    for (const outcome of ['sent', 'failed']) this.attempts.inc({ outcome }, 0);
    metrics.gauge('parley_mail_waiting', 'Emails that are due and not sent yet.', () =>
      jobs.countDue(this.kinds),
    );
  }

  /** Whether the operator has named a mail server. Without one nothing is to be enqueued. */
  get isAvailable(): boolean {
    return this.server !== null;
  }

  /**
   * Sends the mails of a kind of job. Call it in constructors.
   * @param compose puts the mail together, or says null where it is no longer due
   */
  handle<Data>(
    kind: JobKind<Data>,
    compose: (data: Data) => Promise<MailMessage | null> | MailMessage | null,
  ): void {
    this.kinds.push(kind);
    this.jobs.handle(kind, {
      work: async (job) => {
        const message = await compose(job.data);
        if (message) await this.send(message, job.signal);
      },
      retry: RETRY,
      timeoutMs: TIMEOUT_MS,
      concurrency: AT_ONCE,
      leavesMachine: true,
    });
  }

  private async send(message: MailMessage, signal: AbortSignal): Promise<void> {
    if (!this.server) throw new UnrecoverableError('No mail server is configured any more.');
    try {
      await handOver(this.server, this.config.mailFrom, message, signal);
    } catch (error) {
      this.attempts.inc({ outcome: 'failed' });
      throw error;
    }
    this.attempts.inc({ outcome: 'sent' });
  }
}

/** Mails to people. */
@Global()
@Module({
  providers: [Mailer],
  exports: [Mailer],
})
export class MailModule {}
