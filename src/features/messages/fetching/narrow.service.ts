import { Injectable } from '@nestjs/common';
import { isGuest } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { NotLoggedIn } from '../../../platform/errors/shared.errors';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { ChannelNarrowService, PeopleNarrowService } from './narrow-operators.service';
import { Flag, MessageFact } from '../store/message-flags';
import { MessageScanService, type MessageSelection } from '../scan/message-scan.service';
import { MessageAccess } from '../readers/message.access';
import { BadNarrow, InvalidMessage } from '../store/message-records.api';
import {
  flaggedMessages,
  mentioningMessages,
  messagesWith,
  ownMessages,
  type Resolved,
} from '../scan/candidate-search';
import { type IsOperand, mayTakeLong, type NarrowTerm, parseNarrow, searchedFor } from './parse-narrow';
import {
  condition,
  hasFlag,
  hasNotMovedAway,
  isMentioned,
  isOwn,
  not,
  type SqlCondition,
} from '../store/personal-conditions';
import { ReadStateService } from '../readers/read-state.service';
import { SearchMessagesService } from './search-messages.service';
import type { SearchQuery } from './search';

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

/** A narrow that is ready to be queried. */
export interface OpenNarrow {
  /** The connection that finds messages. */
  readonly db: Queryable;
  /** The connection that reads the messages found. */
  readonly rows: Queryable;
  readonly selection: MessageSelection;
  /** Search terms to highlight; null without a search. */
  readonly searched: SearchQuery | null;
}

/** Turns narrows into database queries. */
@Injectable()
export class NarrowService {
  constructor(
    private readonly channels: ChannelNarrowService,
    private readonly people: PeopleNarrowService,
    private readonly access: MessageAccess,
    private readonly readState: ReadStateService,
    private readonly search: SearchMessagesService,
    private readonly scan: MessageScanService,
    private readonly database: Database,
  ) {}

  /**
   * The messages that a narrow selects among those the reader may see, and the connection to use: slow searches run on
   * one for which no other request waits.
   * @param reader null for a person without an account
   * @param narrow unparsed terms
   * @param replica to read from instead, as returned by `ReplicaReader`
   * @throws BadRequest, BadNarrow; Unauthorized if the narrow needs an account
   */
  async open(
    reader: Reader | null,
    narrow: readonly unknown[],
    replica: Queryable | null = null,
  ): Promise<OpenNarrow> {
    const terms = parseNarrow(narrow);
    const db = replica ?? (terms.some(mayTakeLong) ? this.database.background : this.database.read);
    const rows = replica ?? this.database.read;
    return { db, rows, selection: await this.select(db, reader, terms), searched: searchedFor(terms) };
  }

  /** Like `open`, for parsed terms and on the caller's connection. */
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
      if (one) resolved.push(term.negated ? { condition: not(one.condition) } : one);
    }
    // Most of the account's messages may be in other channels.
    if (reader?.limit?.channelIds) resolved.push(leading(isInChannels([...reader.limit.channelIds])));
    const conditions: SqlCondition[] = [];
    let reads: MessageSelection['reads'];
    let mayRead: MessageSelection['mayRead'];
    if (reader !== null && !this.includesHistory(reader, channelId, rest)) {
      const only = { channelId: channelId ?? undefined, direct: rest.some(isDirect) };
      const lead = ownMessages(reader.userId, only);
      resolved.push({ condition: isOwn(reader.userId), lead, isExact: true, isLastResort: true });
      mayRead = this.channels.readableBy(reader);
      conditions.push(hasNotMovedAway(reader.userId));
      reads = await this.reads(db, reader, rest);
    }
    const way = rest.some(mayTakeLong) ? await this.selectByScanning(db, resolved) : shortWay(resolved);
    return { ...way, conditions: [...way.conditions, ...conditions], reads, mayRead };
  }

  /** The selection when several query plans have to be compared. */
  private async selectByScanning(db: Queryable, resolved: readonly Resolved[]): Promise<MessageSelection> {
    const leads = resolved.flatMap((one) => one.lead ?? []);
    if (leads.length === 0) return { conditions: resolved.map((one) => one.condition), testsEach: true };
    const { search, findsFew, of } = await this.scan.narrowest(db, leads);
    const tested = resolved.filter(({ lead, isExact }) => !(isExact && lead && of.includes(lead)));
    return { conditions: tested.map((one) => one.condition), search, findsFew };
  }

  /** @throws Unauthorized unless the narrow is limited to web-public channels */
  private checkAnonymous(terms: readonly NarrowTerm[]): void {
    const isOpen = terms.some(
      (term) =>
        !term.negated &&
        ((term.operator === 'channels' && term.kind === 'web-public') ||
          (term.operator === 'channel' && this.channels.isOpenToWeb(term.channel))),
    );
    if (!isOpen || !this.channels.isWebOffered || terms.some(isPersonal)) {
      throw new NotLoggedIn();
    }
  }

  /**
   * The current conversation of the message in a `with` term. If the reader cannot see the message, the other terms
   * apply, provided that they name one conversation.
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
      return { ...leading(place), channelId };
    } catch (error) {
      if (!(error instanceof InvalidMessage)) throw error;
      if (!namesConversation(terms)) throw new BadNarrow("Invalid 'with' operator");
      return null;
    }
  }

  /** The channel that all positive terms name. */
  private channelOf(reader: Reader | null, terms: readonly NarrowTerm[]): number | null {
    const ids = new Set<number>();
    for (const term of terms) {
      if (term.operator === 'channel' && !term.negated) ids.add(this.channels.find(reader, term.channel).id);
    }
    const [only] = ids;
    return ids.size === 1 && only !== undefined ? only : null;
  }

  /** Whether messages that the reader did not receive match as well. */
  private includesHistory(reader: Reader, channelId: number | null, terms: readonly NarrowTerm[]): boolean {
    if (terms.some((term) => term.operator === 'is' && term.what !== 'resolved')) return false;
    if (channelId !== null) return this.channels.opensHistory(reader, channelId);
    return (
      !isGuest(reader) &&
      terms.some((term) => term.operator === 'channels' && !term.negated && term.kind !== 'archived')
    );
  }

  /** The condition for a term, ignoring its negation; null for a term that filters nothing. */
  private async resolve(
    db: Queryable,
    reader: Reader | null,
    channelId: number | null,
    term: NarrowTerm,
  ): Promise<Resolved | null> {
    switch (term.operator) {
      case 'channel': {
        const { id } = this.channels.find(reader, term.channel);
        const isHere = condition('m.channel_id = ?', id);
        // For other channels, searching the messages that the reader received there is faster.
        return this.channels.opensHistory(reader, id) ? leading(isHere) : among(isHere);
      }
      case 'channels':
        return leading(isInChannels(this.channels.idsOfKind(reader, term.kind)));
      case 'topic':
        return leading(await this.channels.topic(db, term.topic, channelId));
      case 'sender':
        return leading(this.people.sender(reader, term.person));
      case 'mentions':
        return this.people.mentions(reader, term.person);
      case 'id':
        return leading(condition('m.id = ?', term.messageId));
      case 'has':
        // Must repeat the condition of a partial index word for word.
        return leading(condition(`(m.facts & ${FACTS[term.what]}) <> 0`));
      case 'dm':
        return leading(await this.people.conversation(db, signedIn(reader), term.people, term.operand));
      case 'dm-including':
      case 'group-dm-with': {
        const onlyGroups = term.operator === 'group-dm-with';
        return this.people.conversationsWith(reader, term.people, term.operand, onlyGroups);
      }
      case 'in':
        if (term.where === 'all') return null;
        return among(not(this.channels.isMuted(signedIn(reader), channelId !== null)));
      case 'is':
        return this.resolveIs(reader, term.what);
      case 'search':
        return this.search.find(db, term.query);
      case 'near':
      case 'with':
        return null;
    }
  }

  private resolveIs(reader: Reader | null, what: IsOperand): Resolved | null {
    if (what === 'resolved') return this.channels.resolved();
    const { userId } = signedIn(reader);
    switch (what) {
      case 'dm':
        return among(condition('m.conversation_id IS NOT NULL'));
      case 'starred':
        return flagged(userId, Flag.starred);
      case 'alerted':
        return flagged(userId, Flag.hasAlertWord);
      case 'mentioned':
        return { condition: isMentioned(userId), lead: mentioningMessages(userId) };
      case 'followed':
        return this.channels.followed(signedIn(reader));
      case 'muted':
        return this.channels.muted(signedIn(reader));
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

function isInChannels(ids: readonly number[]): SqlCondition {
  return condition('m.channel_id IN (?)', ids);
}

/** The selection when only one query plan is worth considering. */
function shortWay(resolved: readonly Resolved[]): MessageSelection {
  const others = resolved.filter((one) => !one.isLastResort);
  const last = resolved.find((one) => one.isLastResort);
  // The database picks the plan from the conditions.
  if (!last || others.some((one) => one.lead)) return { conditions: resolved.map((one) => one.condition) };
  return { conditions: others.map((one) => one.condition), search: last.lead };
}

/** A condition whose index yields messages in the order of their IDs. */
function leading(one: SqlCondition): Resolved {
  return { condition: one, lead: messagesWith(one), isExact: true };
}

/** A condition to test for each message. */
function among(one: SqlCondition): Resolved {
  return { condition: one };
}

function flagged(userId: number, flags: number): Resolved {
  return { condition: hasFlag(userId, flags), lead: flaggedMessages(userId, flags), isExact: true };
}

/** Whether a term needs a reader with an account; requests without one were refused earlier. */
function isPersonal(term: NarrowTerm): boolean {
  if (term.operator === 'is') return term.what !== 'resolved';
  return ['dm', 'dm-including', 'group-dm-with', 'in', 'mentions'].includes(term.operator);
}

function signedIn(reader: Reader | null): Reader {
  if (reader === null) throw new NotLoggedIn();
  return reader;
}

function isReplacedByWith({ operator }: NarrowTerm): boolean {
  return ['with', 'channel', 'topic', 'dm'].includes(operator);
}

/** Whether only direct messages can match the term. */
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
