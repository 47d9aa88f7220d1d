import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { ForgingNotAllowed, MirroringNotSupported } from '../store/messages.errors';
import type { SentMessageWire } from '../store/messages.wire';
import type { ContentToSend } from './outgoing-content.service';
import { SendChannelMessageService } from './send-channel-message.service';
import { SendDirectMessageService } from './send-direct-message.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { sentEchoesPort, SentMeanwhile } from '../store/messages.hooks';

/** A message as `POST /messages` takes it. */
export interface SendMessageRequest {
  readonly kind: 'channel' | 'direct';
  /** Channel or people, in any of the forms of messages reference 2.2. */
  readonly to?: string;
  readonly topic?: string;
  readonly content: ContentToSend;
  /** Whether the message pretends to come from somebody else, as mirrors do. */
  readonly isMirrored: boolean;
  /** Whether the message asks for a right that only imports have. */
  readonly isForged: boolean;
}

/** Sends messages of both kinds. */
@Injectable()
export class SendMessageService {
  constructor(
    private readonly toChannels: SendChannelMessageService,
    private readonly toPeople: SendDirectMessageService,
    private readonly hooks: Hooks,
  ) {}

  /**
   * A request that names a message by which its client can tell it again sends it once, however often it is
   * repeated.
   * @throws ApiError: see messages.errors.ts and those of posting in channels
   */
  async send(actor: Actor, request: SendMessageRequest): Promise<SentMessageWire> {
    if (request.isForged) throw new ForgingNotAllowed();
    if (request.isMirrored) throw new MirroringNotSupported();
    const { echo } = request.content;
    if (!echo) return this.sendNow(actor, request);
    const sentBefore = (await this.hooks.provider(sentEchoesPort)?.find(actor.userId, echo)) ?? null;
    if (sentBefore !== null) return sentBefore;
    try {
      return await this.sendNow(actor, request);
    } catch (error) {
      if (error instanceof SentMeanwhile) return error.answer;
      throw error;
    }
  }

  private async sendNow(
    actor: Actor,
    { kind, to, topic, content }: SendMessageRequest,
  ): Promise<SentMessageWire> {
    if (kind === 'channel') return this.toChannels.send(actor, to, topic, content);
    return { id: await this.toPeople.send(actor, to, content) };
  }
}
