import { Injectable, Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import { type JobKind, UnrecoverableError } from '../jobs/job';
import { Jobs } from '../jobs/jobs.service';
import { type Counter, Metrics } from '../metrics/metrics';
import type { MailMessage } from './mail-message';
import { handOver, type SmtpServer, smtpServerAt } from './smtp-connection';

/** Retry schedule for a mail that could not be delivered: often at first, then every hour for a day. */
const RETRY = {
  delaysMs: [10_000, 60_000, 300_000, 1_800_000, 3_600_000],
  forMs: 86_400_000,
} as const;

/** Timeout for delivering one mail. */
const TIMEOUT_MS = 30_000;

const AT_ONCE = 2;

/**
 * Sends mails, by jobs that features enqueue with their changes: a slow or unavailable mail server delays nothing. A
 * job contains what the mail is about; the text, which may contain secrets, is composed when it is sent, and never
 * stored.
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

  /** Whether a mail server is configured. Without one, nothing should be enqueued. */
  get isAvailable(): boolean {
    return this.server !== null;
  }

  /**
   * Sends the mails of a kind of job. Call it in constructors.
   * @param compose creates the mail, or returns null if it is no longer needed
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

/** Provides the mailer to all modules. */
@Global()
@Module({
  providers: [Mailer],
  exports: [Mailer],
})
export class MailModule {}
