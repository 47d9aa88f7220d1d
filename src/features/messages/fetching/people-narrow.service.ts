import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { AccountDirectory, UserAccess } from '../../users/users.module';
import { DirectConversationService } from '../store/direct-conversation.service';
import { Flag } from '../store/message-flags';
import type { PersonOperand } from './narrow-term';
import { BadNarrow } from '../store/message-records.api';
import { ALL_MESSAGES } from '../store/message-rows.service';
import { mentioningMessages, messagesInConversations, type Resolved } from '../scan/candidate-search';
import { anyOf, condition, NEVER, type SqlCondition } from '../store/personal-conditions';

/** Turns those terms of a narrow that are about people into conditions. */
@Injectable()
export class PeopleNarrowService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly conversations: DirectConversationService,
  ) {}

  /** @throws BadNarrow for an unknown person */
  sender(reader: Reader | null, person: PersonOperand): SqlCondition {
    return condition('m.sender_id = ?', this.find(reader, person));
  }

  /** Messages that mention a person by name or through a group. @throws BadNarrow for an unknown person */
  mentions(reader: Reader | null, person: PersonOperand): Resolved {
    const userId = this.find(reader, person);
    const isMentioned = anyOf(
      condition(
        'm.id IN (SELECT message_id FROM message_flag WHERE user_id = ? AND (flags & ?) <> 0)',
        userId,
        Flag.mentioned,
      ),
      condition(
        'm.group_mention_set_id IN (SELECT set_id FROM mention_set_member WHERE user_id = ?)',
        userId,
      ),
    );
    return { condition: isMentioned, lead: mentioningMessages(userId) };
  }

  /** The reader's conversation with exactly these people. @throws BadNarrow for an unknown person */
  async conversation(
    db: Queryable,
    reader: Reader,
    people: readonly PersonOperand[],
    operand: string,
  ): Promise<SqlCondition> {
    const userIds = this.findAll(reader, people, operand);
    const conversation = await this.conversations.find(db, [...new Set([reader.userId, ...userIds])]);
    return conversation ? condition('m.conversation_id = ?', conversation.id) : NEVER;
  }

  /**
   * Conversations that include the people.
   * @param onlyGroups leaves out those of two people
   * @throws BadNarrow for an unknown person
   */
  conversationsWith(
    reader: Reader | null,
    people: readonly PersonOperand[],
    operand: string,
    onlyGroups: boolean,
  ): Resolved {
    const userIds = [...new Set(this.findAll(reader, people, operand))];
    const including = condition(
      `SELECT conversation_id AS id FROM direct_conversation_member
       WHERE user_id IN (?) GROUP BY conversation_id HAVING COUNT(*) = ?`,
      userIds,
      userIds.length,
    );
    const groups = condition(
      `SELECT id FROM (${including.sql}) c
       WHERE (SELECT COUNT(*) FROM direct_conversation_member o WHERE o.conversation_id = c.id) > 2`,
      ...including.values,
    );
    const lead = messagesInConversations(onlyGroups ? groups : including);
    return { condition: lead.implied(ALL_MESSAGES), lead, isExact: true };
  }

  private find(reader: Reader | null, person: PersonOperand): number {
    const userId = this.idOf(reader, person);
    if (userId === undefined) throw new BadNarrow(`unknown user ${person}`);
    return userId;
  }

  private findAll(reader: Reader | null, people: readonly PersonOperand[], operand: string): number[] {
    return people.map((person) => {
      const userId = this.idOf(reader, person);
      if (userId === undefined) throw new BadNarrow(`unknown user in ${operand}`);
      return userId;
    });
  }

  private idOf(reader: Reader | null, person: PersonOperand): number | undefined {
    if (typeof person === 'number') return this.accounts.byId(person)?.id;
    if (reader) return this.access.byVisibleEmail(reader, person)?.id;
    // People without an account see no real addresses, so they cannot find people by them either.
    return this.accounts.isPlaceholder(person) ? this.accounts.byEmail(person)?.id : undefined;
  }
}
