import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { addTo } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { topicKey, TopicVisibility, UserTopicsService } from '../../channels/channels.module';
import type { DoneMove } from '../message-changes.api';

/** From what hides most to what shows most. */
const RANKING: readonly TopicVisibility[] = [
  TopicVisibility.muted,
  TopicVisibility.none,
  TopicVisibility.unmuted,
  TopicVisibility.followed,
];

/** Lets what people have said about a topic go along when it moves as a whole. */
@Injectable()
export class MovedPoliciesService {
  constructor(
    private readonly topics: UserTopicsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Where the topic becomes part of another one, people keep of the two policies the one that shows more.
   * @param mayRead whether a person can see where the topic went; for others the policy is forgotten
   */
  async follow(tx: Transaction, done: DoneMove, mayRead: (userId: number) => boolean): Promise<void> {
    const { from, to, isWhole, intoExisting } = done;
    const isSameTopic = from.channelId === to.channelId && topicKey(from.topic) === topicKey(to.topic);
    if (!isWhole || isSameTopic) return;
    const before = await this.topics.policiesFor(tx, from.channelId, from.topic);
    const there = await this.topics.policiesFor(tx, to.channelId, to.topic);
    const concerned = [...(intoExisting ? new Set([...before.keys(), ...there.keys()]) : before.keys())];
    const byPolicy = new Map<TopicVisibility, number[]>();
    for (const userId of concerned.filter(mayRead).sort((a, b) => a - b)) {
      const now = there.get(userId) ?? TopicVisibility.none;
      const policy = combined(before.get(userId) ?? TopicVisibility.none, now, intoExisting);
      if (policy === now) continue;
      addTo(byPolicy, policy, userId);
    }
    const lastUpdated = this.clock.nowSeconds();
    await this.topics.setForAll(tx, [...before.keys()], {
      ...from,
      policy: TopicVisibility.none,
      lastUpdated,
    });
    for (const [policy, userIds] of byPolicy)
      await this.topics.setForAll(tx, userIds, { ...to, policy, lastUpdated });
  }
}

/** A person's policy for the topic after the move. */
function combined(before: TopicVisibility, there: TopicVisibility, isMerged: boolean): TopicVisibility {
  if (!isMerged) return before;
  return RANKING.indexOf(before) > RANKING.indexOf(there) ? before : there;
}
