import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { loopReason, MailHead } from './mail-head';
import { type MailTarget, MailTargets } from './mail-targets.service';
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { ApiError } from '../../platform/errors/api-error';
import { Hooks } from '../../platform/hooks/hooks';
import { defineJob } from '../../platform/jobs/job';
import {
  MAIL_FOLDER,
  type MailVerdict,
  MAX_MAIL_BYTES,
  missedListId,
} from '../../platform/mail/incoming-mail';
import { Jobs } from '../../platform/jobs/jobs.service';
import { ProcessPurpose } from '../../platform/lifecycle/periodic-task';
import { command, CommandRefused, operatorCommand } from '../../platform/operator/operator-commands';

/** Job that posts one mail. */
export const mailPosting = defineJob<{ readonly mailId: number }>('post_mail');

/** Rate limits for mails to channels, per organization. */
const LIMITS = [
  { seconds: 60, mails: 50 },
  { seconds: 300, mails: 120 },
  { seconds: 3_600, mails: 600 },
] as const;

/** Maximum bytes of mails that wait to be posted; beyond that, the sender must retry. */
const MAX_WAITING_BYTES = 512 * 1024 * 1024;

/** Input of `mail receive`. */
class ReceiveMailDto {
  /** Name of a file in {@link MAIL_FOLDER}. */
  @Matches(/^[0-9a-f-]{1,64}\.eml$/, { message: 'file must be the name of a mail' })
  file!: string;

  /** Recipient address, if the mail server reports it. */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  recipient?: string;
}

/**
 * Accepts mail. Stores the mail in the database instead of a file, in one transaction with the job that posts it, so
 * that accepted mail is never lost and any node can post it.
 */
@Injectable()
export class ReceiveMailService {
  private readonly logger = new Logger('MailGateway');

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly transactions: TransactionService,
    private readonly jobs: Jobs,
    private readonly targets: MailTargets,
    private readonly purpose: ProcessPurpose,
    hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command('mail receive', ReceiveMailDto, async ({ file, recipient }) => {
        const verdict = await this.receiveFile(join(config.dataDir, MAIL_FOLDER, file), recipient);
        return { verdict };
      }),
    );
  }

  private async receiveFile(path: string, recipient?: string): Promise<MailVerdict> {
    // Without the server's settings, the command would treat every address as unknown.
    if (!this.purpose.isServer && this.config.emailGatewayPattern === null) {
      throw new CommandRefused('No server is running here, and EMAIL_GATEWAY_PATTERN is not set.');
    }
    const { size } = await stat(path);
    return size > MAX_MAIL_BYTES ? 'too large' : this.receive(await readFile(path), recipient);
  }

  /** Accepts or rejects a mail. @param recipient defaults to the first of our addresses in the mail */
  async receive(raw: Buffer, recipient?: string): Promise<MailVerdict> {
    const head = MailHead.of(raw);
    if (!head) return 'malformed';
    const address = recipient ?? this.recipientIn(head);
    try {
      const target = address === undefined ? null : await this.targets.find(address.trim());
      return target ? await this.accept(target, head, raw) : 'unknown';
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      this.logger.warn(`A mail was refused: ${error.message}`);
      return 'refused';
    }
  }

  private recipientIn(head: MailHead): string | undefined {
    for (const address of head.recipients()) if (this.targets.isOurs(address)) return address;
    return undefined;
  }

  private async accept(
    { target, options, place }: MailTarget,
    head: MailHead,
    raw: Buffer,
  ): Promise<MailVerdict> {
    const reason = loopReason(
      head,
      place.kind === 'reply',
      missedListId(new URL(this.config.externalUrl).hostname),
    );
    if (reason !== null) {
      this.logger.log(`A mail to a ${place.kind} was dropped, as a program sent it or it loops: ${reason}.`);
      return 'accepted';
    }
    const digest = digestOf(target, head, raw);
    const userId = place.kind === 'reply' ? place.reply.person.userId : place.destination.creator.userId;
    return this.transactions
      .run(async (tx): Promise<MailVerdict> => {
        const now = this.clock.nowMs();
        const [row] = await tx.query<{ id: number }>(
          `INSERT INTO received_mail (digest, target, options, user_id, received_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (digest) DO NOTHING RETURNING id`,
          [digest, target, options.join(' '), userId, now],
        );
        // A repeated delivery, because the mail server missed the reply.
        if (!row) return 'accepted';
        if (!(await this.hasRoom(tx, place.kind, now))) throw new TooMuchMail();
        await tx.query('INSERT INTO received_mail_content (mail_id, content) VALUES (?, ?)', [row.id, raw]);
        await this.jobs.enqueue(tx, { kind: mailPosting, key: String(row.id), data: { mailId: row.id } });
        return 'accepted';
      })
      .catch((error: unknown) => {
        if (!(error instanceof TooMuchMail)) throw error;
        this.logger.warn('Too many mails: their senders are asked to try again later.');
        return 'too many';
      });
  }

  /** Whether the limits allow the mail, whose row is already inserted. Replies have no rate limit. */
  private async hasRoom(tx: Transaction, kind: 'channel' | 'reply', now: number): Promise<boolean> {
    const { bytes } = await tx.queryOne<{ bytes: number | string }>(
      'SELECT COALESCE(SUM(LENGTH(content)), 0) AS bytes FROM received_mail_content',
    );
    if (Number(bytes) > MAX_WAITING_BYTES) return false;
    if (kind === 'reply') return true;
    for (const { seconds, mails } of LIMITS) {
      const { count } = await tx.queryOne<{ count: number | string }>(
        `SELECT COUNT(*) AS count FROM received_mail WHERE received_at > ? AND target LIKE 'channel:%'`,
        [now - seconds * 1_000],
      );
      if (Number(count) > mails) return false;
    }
    return true;
  }
}

/**
 * Header fields that are the same in repeated deliveries, unlike `Received`. They include content type and encoding:
 * otherwise an attacker could first send a copy that decodes to garbage, and the real mail would count as a duplicate.
 */
const LASTING_FIELDS = [
  'message-id',
  'from',
  'sender',
  'date',
  'subject',
  'content-type',
  'content-transfer-encoding',
];

/**
 * Digest that identifies repeated deliveries of a mail. The message ID is not enough: some programs reuse it, and
 * anyone could send another mail with the same ID first.
 */
function digestOf(target: string, head: MailHead, raw: Buffer): string {
  const hash = createHash('sha256').update(target).update('\n');
  if (!head.first('message-id')) return hash.update(raw).digest('hex');
  const lasting = LASTING_FIELDS.map((name) => head.all(name));
  return hash.update(JSON.stringify(lasting)).update(raw.subarray(head.bodyStart)).digest('hex');
}

/** Rolls back the transaction. */
class TooMuchMail extends Error {}
