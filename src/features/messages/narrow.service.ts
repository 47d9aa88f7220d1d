import { Injectable } from '@nestjs/common';
import { isGuest } from '../../platform/actor';
import type { Queryable } from '../../platform/database/queryable';
import { Unauthorized } from '../../platform/errors/shared.errors';
import type { Requester as Reader } from '../user-groups/permission.service';
import { ChannelNarrowService } from './channel-narrow.service';
import { MessageFact } from './message-facts';
import { Flag } from './message-flags';
import type { MessageSelection } from './message-scan.service';
import { MessageAccess } from './message.access';
import { InvalidMessage } from './messages.errors';
import { mentioningMessages, ownMessages } from './narrow/candidate-search';
import type { IsOperand, NarrowTerm } from './narrow/narrow-term';
import { BadNarrow } from './narrow/narrow.errors';
import { hasRareFlag, isMentioned, isOwn } from './narrow/personal-conditions';
import { condition, not, type Resolved, type SqlCondition } from './narrow/sql-condition';
import { PeopleNarrowService } from './people-narrow.service';
import { ReadStateService } from './read-state.service';

/** The conversation that a `with` term leads to. */
interface Followed extends Resolved {
  readonly channelId: number | null;
}

const FACTS = {
  attachment: MessageFact.hasAttachment,
  image: MessageFact.hasImage,
  link: MessageFact.hasLink,
  reaction: MessageFact.hasReaction,
} as const;

/** Turns narrows into what the database is asked (messages reference 4.3, 4.4). */
@Injectable()
export class NarrowService {
  constructor(
    private readonly channels: ChannelNarrowService,
    private readonly people: PeopleNarrowService,
    private readonly access: MessageAccess,
    private readonly readState: ReadStateService,
  ) {}

  /**
   * The messages that a narrow selects for a reader, among those he may see.
   * @param reader null for somebody without an account
   * @throws BadNarrow, and Unauthorized where the narrow needs an account
   */
  async select(
    db: Queryable,
    reader: Reader | null,
    terms: readonly NarrowTerm[],
  ): Promise<MessageSelection> {
    if (reader === null) this.checkAnonymous(terms);
    const followed = await this.followMessage(db, reader, terms);
    const rest = followed ? terms.filter((term) => !isReplacedByWith(term)) : terms;
    const channelId = followed ? followed.channelId : this.channelOf(reader, rest);

    const resolved: Resolved[] = followed ? [followed] : [];
    for (const term of rest) {
      const one = await this.resolve(db, reader, channelId, term);
      if (one) resolved.push(term.negated ? { condition: not(one.condition), isSelective: false } : one);
    }
    const conditions = resolved.map((one) => one.condition);
    if (reader === null || this.includesHistory(reader, channelId, rest)) return { conditions };

    const readable = this.channels.isReadable(reader);
    if (readable) conditions.push(readable);
    const reads = await this.reads(db, reader, rest);
    if (resolved.some((one) => one.isSelective)) {
      return { conditions: [...conditions, isOwn(reader.userId)], reads };
    }
    if (rest.some((term) => isPositive(term, 'mentioned'))) {
      const search = mentioningMessages(reader.userId);
      return { conditions: [...conditions, isOwn(reader.userId)], search, reads };
    }
    const only = { channelId: channelId ?? undefined, direct: rest.some(isDirect) };
    return { conditions, search: ownMessages(reader.userId, only), reads };
  }

  /** @throws Unauthorized unless the narrow keeps to channels that are open to the web */
  private checkAnonymous(terms: readonly NarrowTerm[]): void {
    const isOpen = terms.some(
      (term) =>
        !term.negated &&
        ((term.operator === 'channels' && term.kind === 'web-public') ||
          (term.operator === 'channel' && this.channels.isOpenToWeb(term.channel))),
    );
    if (!isOpen || !this.channels.isWebOffered || terms.some(isPersonal)) {
      throw new Unauthorized('Not logged in: API authentication or user session required');
    }
  }

  /**
   * The conversation in which the message of a `with` term is now. Where the reader cannot see the message, the
   * other terms serve instead, if they name one conversation.
   */
  private async followMessage(
    db: Queryable,
    reader: Reader | null,
    terms: readonly NarrowTerm[],
  ): Promise<Followed | null> {
    const messageId = terms.flatMap((term) => (term.operator === 'with' ? term.messageId : []))[0];
    if (messageId === undefined) return null;
    try {
      const { message } = await this.access.forReading(db, reader, messageId);
      const { channelId, topicId, conversationId } = message;
      const place =
        topicId === null
          ? condition('m.conversation_id = ?', conversationId)
          : condition('m.topic_id = ?', topicId);
      return { condition: place, isSelective: true, channelId };
    } catch (error) {
      if (!(error instanceof InvalidMessage)) throw error;
      if (!namesConversation(terms)) throw new BadNarrow("Invalid 'with' operator");
      return null;
    }
  }

  /** The channel that the positive terms agree on. */
  private channelOf(reader: Reader | null, terms: readonly NarrowTerm[]): number | null {
    const ids = new Set<number>();
    for (const term of terms) {
      if (term.operator === 'channel' && !term.negated) ids.add(this.channels.find(reader, term.channel).id);
    }
    const [only] = ids;
    return ids.size === 1 && only !== undefined ? only : null;
  }

  /** Whether messages that the reader never got count as well. */
  private includesHistory(reader: Reader, channelId: number | null, terms: readonly NarrowTerm[]): boolean {
    if (terms.some((term) => term.operator === 'is' && term.what !== 'resolved')) return false;
    if (channelId !== null) return this.channels.opensHistory(reader, channelId);
    return (
      !isGuest(reader) &&
      terms.some((term) => term.operator === 'channels' && !term.negated && term.kind !== 'archived')
    );
  }

  /** What a term asks for, its negation left aside; null for a term that filters nothing by itself. */
  private async resolve(
    db: Queryable,
    reader: Reader | null,
    channelId: number | null,
    term: NarrowTerm,
  ): Promise<Resolved | null> {
    switch (term.operator) {
      case 'channel': {
        const channel = this.channels.find(reader, term.channel);
        const isSelective = this.channels.opensHistory(reader, channel.id);
        return { condition: condition('m.channel_id = ?', channel.id), isSelective };
      }
      case 'channels':
        return among(condition('m.channel_id IN (?)', this.channels.idsOfKind(reader, term.kind)));
      case 'topic':
        return leading(await this.channels.topic(db, term.topic, channelId));
      case 'sender':
        return this.people.sender(db, reader, term.person);
      case 'mentions':
        return among(this.people.mentions(reader, term.person));
      case 'id':
        return leading(condition('m.id = ?', term.messageId));
      case 'has':
        return among(condition('(m.facts & ?) <> 0', FACTS[term.what]));
      case 'dm':
        return leading(await this.people.conversation(db, signedIn(reader), term.people, term.operand));
      case 'dm-including':
      case 'group-dm-with': {
        const onlyGroups = term.operator === 'group-dm-with';
        return among(this.people.conversationsWith(reader, term.people, term.operand, onlyGroups));
      }
      case 'in':
        if (term.where === 'all') return null;
        return among(not(this.channels.isMuted(signedIn(reader), channelId !== null)));
      case 'is':
        return this.resolveIs(reader, term.what);
      case 'search':
        throw new BadNarrow('unknown operator search');
      case 'near':
      case 'with':
        return null;
    }
  }

  private resolveIs(reader: Reader | null, what: IsOperand): Resolved | null {
    if (what === 'resolved') return among(this.channels.isResolved());
    const { userId } = signedIn(reader);
    switch (what) {
      case 'dm':
        return among(condition('m.conversation_id IS NOT NULL'));
      case 'starred':
        return leading(hasRareFlag(userId, Flag.starred));
      case 'alerted':
        return leading(hasRareFlag(userId, Flag.hasAlertWord));
      case 'mentioned':
        return among(isMentioned(userId));
      case 'followed':
        return among(this.channels.isFollowed(signedIn(reader)));
      case 'muted':
        return among(this.channels.isMuted(signedIn(reader)));
      case 'unread':
        return null;
    }
  }

  private async reads(
    db: Queryable,
    reader: Reader,
    terms: readonly NarrowTerm[],
  ): Promise<MessageSelection['reads']> {
    const term = terms.find((each) => each.operator === 'is' && each.what === 'unread');
    return term && { set: await this.readState.load(db, reader.userId), read: term.negated };
  }
}

/** A condition from which an index leads to few messages. */
function leading(one: SqlCondition): Resolved {
  return { condition: one, isSelective: true };
}

/** A condition that each message has to be tested for. */
function among(one: SqlCondition): Resolved {
  return { condition: one, isSelective: false };
}

/** What only somebody with an account can ask for; others were refused before. */
function isPersonal(term: NarrowTerm): boolean {
  if (term.operator === 'is') return term.what !== 'resolved';
  return ['dm', 'dm-including', 'group-dm-with', 'in', 'mentions'].includes(term.operator);
}

function signedIn(reader: Reader | null): Reader {
  if (reader === null) throw new Unauthorized('Not logged in: API authentication or user session required');
  return reader;
}

function isReplacedByWith({ operator }: NarrowTerm): boolean {
  return ['with', 'channel', 'topic', 'dm'].includes(operator);
}

/** Whether only direct messages can fulfil the term. */
function isDirect(term: NarrowTerm): boolean {
  if (isPositive(term, 'dm')) return true;
  return !term.negated && (term.operator === 'dm-including' || term.operator === 'group-dm-with');
}

function isPositive(term: NarrowTerm, what: IsOperand): boolean {
  return term.operator === 'is' && term.what === what && !term.negated;
}

function namesConversation(terms: readonly NarrowTerm[]): boolean {
  const has = (operator: NarrowTerm['operator']) =>
    terms.some((term) => term.operator === operator && !term.negated);
  return has('dm') || (has('channel') && has('topic'));
}
