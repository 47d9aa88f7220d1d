import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Queryable } from '../../../platform/sql/queryable';
import { PermissionService } from '../../user-groups';
import { AccountDirectory, type AccountRecord, UserAccess, UserVisibility } from '../../users';
import { DirectConversationService } from '../store/direct-conversation.service';
import {
  DirectMessagesDisabled,
  InvalidRecipientEmail,
  InvalidRecipientId,
  MayNotStartConversation,
  MissingRecipients,
  NobodyMayAuthorize,
  RecipientDeactivated,
  RecipientNotVisible,
} from '../store/messages.errors';
import type { NamedPeople } from './address';

/** Finds the people of a direct message and decides whether it may be sent (messages reference 2.3). */
@Injectable()
export class DirectMessageAccess {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly visibility: UserVisibility,
    private readonly permissions: PermissionService,
    private readonly conversations: DirectConversationService,
  ) {}

  /** @throws MissingRecipients, InvalidRecipientEmail, InvalidRecipientId */
  recipients(actor: Actor, named: NamedPeople): AccountRecord[] {
    if ('emails' in named) {
      if (named.emails.length === 0) throw new MissingRecipients();
      return named.emails.map((email) => {
        const account = this.access.byVisibleEmail(actor, email);
        if (!account) throw new InvalidRecipientEmail(email);
        return account;
      });
    }
    if (named.userIds.length === 0) throw new MissingRecipients();
    return named.userIds.map((userId) => {
      const account = this.accounts.byId(userId);
      if (!account) throw new InvalidRecipientId(userId);
      return account;
    });
  }

  /**
   * @param recipients the sender may be among them
   * @returns everybody in the conversation, ascending
   * @throws RecipientNotVisible, RecipientDeactivated and what the two settings refuse
   */
  async checkMaySend(db: Queryable, actor: Actor, recipients: AccountRecord[]): Promise<number[]> {
    const visible = await this.visibility.visible(db, actor, recipients);
    if (visible.length < recipients.length) throw new RecipientNotVisible();
    const gone = recipients.find((account) => !account.isActive);
    if (gone) throw new RecipientDeactivated(this.accounts.apiEmail(gone));

    const memberIds = [...new Set([actor.userId, ...recipients.map((account) => account.id)])];
    memberIds.sort((a, b) => a - b);
    const others = recipients.filter((account) => account.id !== actor.userId);
    const isExempt = actor.isBot || others.every((account) => account.isBot);
    if (!isExempt) await this.checkSettings(db, actor, memberIds);
    return memberIds;
  }

  private async checkSettings(db: Queryable, actor: Actor, memberIds: readonly number[]): Promise<void> {
    const setting = 'direct_message_permission_group';
    if (this.permissions.isNobodys(setting)) throw new DirectMessagesDisabled();
    const members = memberIds.flatMap((id) => this.accounts.byId(id) ?? []);
    const mayAuthorize = ({ id, role }: AccountRecord) =>
      this.permissions.allowsInOrganization({ userId: id, role }, setting);
    if (!members.some(mayAuthorize)) throw new NobodyMayAuthorize();

    if (this.permissions.allowsInOrganization(actor, 'direct_message_initiator_group')) return;
    const conversation = await this.conversations.find(db, memberIds);
    if (conversation?.newestMessageId == null) throw new MayNotStartConversation();
  }
}
