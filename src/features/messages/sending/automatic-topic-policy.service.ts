import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import {
  SubscriptionDirectory,
  topicKey,
  TopicVisibility,
  UserTopicsService,
} from '../../channels/channels.module';
import { AccountDirectory, personalSetting } from '../../users/users.module';

/** Occasions for an automatic policy, ordered; a setting applies to its own number and all higher ones. */
export const PolicyOccasion = { reacting: 1, sending: 2, starting: 3 } as const;
export type PolicyOccasion = (typeof PolicyOccasion)[keyof typeof PolicyOccasion];

/** Visibility policies of a topic that may be set automatically. */
export const AutomaticPolicy = { unmuted: 2, followed: 3 } as const;
export type AutomaticPolicy = (typeof AutomaticPolicy)[keyof typeof AutomaticPolicy];

/** The relevant settings: 1 on any participation, 2 when sending, 3 when starting a topic, 4 never. */
interface TopicPolicies {
  readonly follow: number;
  /** Applies to muted channels. */
  readonly unmute: number;
}

/** A person's current settings for a topic and its channel. */
export interface TopicChoice {
  readonly isChannelMuted: boolean;
  /** Null if the person never set one. */
  readonly policy: number | null;
}

/**
 * The policy that a person's settings give to a topic in which the person just participated. It can only make the topic
 * more visible.
 * @returns null if nothing changes
 */
export function automaticPolicy(
  wishes: TopicPolicies,
  choice: TopicChoice,
  occasion: PolicyOccasion,
): AutomaticPolicy | null {
  if (choice.policy === AutomaticPolicy.followed) return null;
  if (wishes.follow <= occasion) return AutomaticPolicy.followed;
  const unmutes = wishes.unmute <= occasion;
  if (!choice.isChannelMuted || !unmutes || choice.policy === AutomaticPolicy.unmuted) return null;
  return AutomaticPolicy.unmuted;
}

/** A topic in which a person participates. */
interface TopicPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** A participating person or bot. */
type Participant = Pick<Actor, 'userId' | 'isBot'>;

/** The state that allows the most changes. */
const MOST_OPEN: TopicChoice = { isChannelMuted: true, policy: null };

/** Follows or unmutes topics automatically, according to the participants' settings. */
@Injectable()
export class AutomaticTopicPolicyService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly topics: UserTopicsService,
    private readonly clock: Clock,
  ) {}

  /** The sender's current policy; null for bots and non-subscribers. */
  async choiceOf(
    tx: Transaction,
    actor: Participant,
    { channelId, topic }: TopicPlace,
  ): Promise<TopicChoice | null> {
    if (actor.isBot) return null;
    const [row] = await tx.query<{ is_muted: unknown; visibility_policy: number | null }>(
      `SELECT s.is_muted, u.visibility_policy FROM subscription s
       LEFT JOIN user_topic u ON u.user_id = s.user_id AND u.channel_id = s.channel_id AND u.topic_key = ?
       WHERE s.user_id = ? AND s.channel_id = ? AND s.is_active = ?`,
      [topicKey(topic), actor.userId, channelId, true],
    );
    return row ? { isChannelMuted: Boolean(row.is_muted), policy: row.visibility_policy } : null;
  }

  /**
   * @param startsTopic whether the sender sees no earlier message in the topic; called only if it matters
   * @returns the sender's new policy for the topic; null if it does not change
   */
  async afterSending(
    tx: Transaction,
    actor: Participant,
    choice: TopicChoice | null,
    place: TopicPlace,
    startsTopic: () => Promise<boolean>,
  ): Promise<AutomaticPolicy | null> {
    if (!choice) return null;
    const wishes = this.wishesOf(actor);
    const isOne =
      automaticPolicy(wishes, choice, PolicyOccasion.starting) ===
      automaticPolicy(wishes, choice, PolicyOccasion.sending);
    const occasion = !isOne && (await startsTopic()) ? PolicyOccasion.starting : PolicyOccasion.sending;
    return this.apply(tx, actor, choice, place, occasion);
  }

  /** Applies to the sender of a moved message that is the first one the sender sees in its new topic. */
  async afterMoving(tx: Transaction, sender: Participant, place: TopicPlace): Promise<void> {
    await this.apply(tx, sender, await this.choiceOf(tx, sender, place), place, PolicyOccasion.starting);
  }

  /**
   * Applies to a person who reacted to a message of the topic. Costs a query only if the person's settings ask for a
   * change.
   */
  async afterReacting(tx: Transaction, actor: Actor, place: TopicPlace): Promise<void> {
    if (automaticPolicy(this.wishesOf(actor), MOST_OPEN, PolicyOccasion.reacting) === null) return;
    const choice = await this.choiceOf(tx, actor, place);
    await this.apply(tx, actor, choice, place, PolicyOccasion.reacting);
  }

  /**
   * Applies to people mentioned by name: by default they follow the topic, unless they muted it.
   * @param userIds may include users who do not receive the message
   */
  async afterMentioning(
    tx: Transaction,
    userIds: ReadonlySet<number>,
    { channelId, topic }: TopicPlace,
  ): Promise<void> {
    const wishing = [...userIds].filter((id) => this.followsMentions(id, channelId));
    if (wishing.length === 0) return;
    const policies = await this.topics.policiesFor(tx, channelId, topic, wishing);
    const decided: TopicVisibility[] = [TopicVisibility.muted, TopicVisibility.followed];
    const following = wishing.filter((id) => !decided.includes(policies.get(id) ?? TopicVisibility.none));
    const at = this.clock.nowSeconds();
    await this.topics.setForAll(tx, following, {
      channelId,
      topic,
      policy: TopicVisibility.followed,
      lastUpdated: at,
    });
  }

  private followsMentions(userId: number, channelId: number): boolean {
    const account = this.accounts.byId(userId);
    if (!account || account.isBot || !this.subscriptions.isSubscribed(userId, channelId)) return false;
    return personalSetting(account.settings, 'automatically_follow_topics_where_mentioned');
  }

  private async apply(
    tx: Transaction,
    actor: Participant,
    choice: TopicChoice | null,
    { channelId, topic }: TopicPlace,
    occasion: PolicyOccasion,
  ): Promise<AutomaticPolicy | null> {
    if (!choice) return null;
    const policy = automaticPolicy(this.wishesOf(actor), choice, occasion);
    if (policy !== null) await this.topics.set(tx, actor.userId, { channelId, topic, policy });
    return policy;
  }

  private wishesOf(actor: Participant): { follow: number; unmute: number } {
    const chosen = this.accounts.byId(actor.userId)?.settings ?? {};
    return {
      follow: personalSetting(chosen, 'automatically_follow_topics_policy'),
      unmute: personalSetting(chosen, 'automatically_unmute_topics_in_muted_streams_policy'),
    };
  }
}
