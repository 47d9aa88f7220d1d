import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AlertWordDirectory } from '../../alert-words';
import { MutedUserDirectory } from '../../muted-users';
import { AccountDirectory } from '../../users';
import { MentionAccess } from './mention.access';
import { MessageRendererService } from '../markdown/message-renderer.service';
import type { OutgoingMessage } from './message-writer.service';
import { normalizeContent } from './message-text';
import { isReadBySender } from './read-by-sender';
import type { LocalEcho } from '../store/messages.hooks';

/** What somebody wants to say, wherever it goes. */
export interface ContentToSend {
  /** Markdown. */
  readonly content: string;
  /** Whether the sender has read it; by default the client decides. */
  readonly isReadBySender?: boolean;
  readonly echo?: LocalEcho;
  /** When it was said, where that is not now. UNIX seconds. */
  readonly sentAt?: number;
}

/** Turns what was sent into what is stored, outside of any transaction since rendering takes its time. */
@Injectable()
export class OutgoingContentService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly renderer: MessageRendererService,
    private readonly mentions: MentionAccess,
    private readonly alertWords: AlertWordDirectory,
    private readonly muted: MutedUserDirectory,
  ) {}

  /** @throws BadRequest for empty content and for a NUL */
  normalize(content: ContentToSend): ContentToSend {
    return { ...content, content: normalizeContent(content.content) };
  }

  /** Renders normalized content. Whether its mentions are allowed is for {@link MentionAccess} to say. */
  async prepare(actor: Actor, { content, echo, sentAt, ...choice }: ContentToSend): Promise<OutgoingMessage> {
    const rendered = await this.renderer.renderFor(actor, content);
    const isRead = choice.isReadBySender ?? isReadBySender(actor.clientName);
    return {
      sender: this.accounts.existing(actor.userId),
      clientName: actor.clientName,
      content,
      rendered,
      groupMembers: this.mentions.membersOf(rendered),
      alerted: this.alertWords.alertedBy(rendered.prose),
      readBy: new Set([...(isRead ? [actor.userId] : []), ...this.muted.mutersOf(actor.userId)]),
      echo,
      sentAt,
    };
  }
}
