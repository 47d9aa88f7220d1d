import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { AddressRules } from '../../../platform/outbound/address-rules';
import { OutboundFailure, post, type OutboundAnswer } from '../../../platform/outbound/outbound-request';
import { ADVERTISED_VERSION } from '../../../platform/version';
import { AccountDirectory } from '../../users/users.module';
import type { AnswerWire } from './messaging.api';
import type { AnswerJob } from './note-answers.service';

/** Why an answer was not posted. */
export interface AnswerFailure {
  readonly reason: string;
  /** Whether the next call may succeed. */
  readonly isPassing: boolean;
}

/** How long posting one answer may take. */
export const CALL_TIMEOUT_MS = 20_000;

const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Statuses by which a receiver says that it will never take this message. Any other failure may be fixed at its end.
 */
const FINAL = [400, 413, 422];

/** The address is the operator's own, who may have it in any network. */
const ANYWHERE = new AddressRules(['0.0.0.0/0', '::/0']);

interface Row {
  readonly address: string;
  readonly source: string;
  readonly via: string | null;
  readonly content: string;
  readonly senderId: number;
  readonly sentAt: number;
}

/** Posts answers to the address that the operator configured. */
@Injectable()
export class HandOnAnswerService {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly accounts: AccountDirectory,
  ) {}

  /** The current text of an answer and where it goes; null if its message was deleted. */
  async payload({ number, messageId, conversationId }: AnswerJob): Promise<AnswerWire | null> {
    const [row] = await this.database.read.query<Row>(
      `SELECT c.address, c.source, c.via, m.content, m.sender_id AS "senderId", m.sent_at AS "sentAt"
       FROM message m JOIN messaging_conversation c ON c.id = ? WHERE m.id = ?`,
      [conversationId, messageId],
    );
    if (!row) return null;
    return {
      id: `answer-${number ?? messageId}`,
      to: row.address,
      source: row.source,
      via: row.via,
      text: row.content,
      sender_full_name: this.accounts.byId(row.senderId)?.fullName ?? '',
      message_id: messageId,
      timestamp: row.sentAt,
    };
  }

  /**
   * @param signal ends the call early, which counts as a passing failure @returns null once the receiver accepted it
   */
  async post(url: string, payload: AnswerWire, signal: AbortSignal): Promise<AnswerFailure | null> {
    const request = {
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': `Parley/${ADVERTISED_VERSION}`,
        'idempotency-key': payload.id,
      },
      body: JSON.stringify(payload),
      timeoutMs: CALL_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
    };
    try {
      return failureOf(await post(request, ANYWHERE));
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      return { reason: error.message, isPassing: !error.isFinal };
    }
  }

  get url(): string | null {
    return this.config.messagingSendUrl;
  }
}

function failureOf({ status }: OutboundAnswer): AnswerFailure | null {
  if (status >= 200 && status <= 299) return null;
  return { reason: `the receiver responded with status ${status}`, isPassing: !FINAL.includes(status) };
}
