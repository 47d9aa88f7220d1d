import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { GroupDirectory, PermissionService } from '../../user-groups/user-groups.module';
import { type Sender, SubscriptionDirectory, TopicRowsService } from '../../channels/channels.module';
import {
  ChannelWildcardNotAllowed,
  GroupMentionNotAllowed,
  TopicWildcardNotAllowed,
} from '../store/message-records.api';
import type { RenderedMarkdown } from '../markdown/render-markdown';

/** Up to this many people may be mentioned at once without a permission. */
const MAX_FREE_WILDCARD = 15;

/** The topic that a message is in. */
export interface MentioningPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** Decides who may mention many people at once. */
@Injectable()
export class MentionAccess {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly permissions: PermissionService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly topics: TopicRowsService,
  ) {}

  /**
   * Asked before anything slow is done, and again in the transaction: by then the sender may have lost the permission.
   * @param channelId null for a direct message, in which wildcards have no effect
   * @param topicParticipants whom a topic wildcard reaches
   * @throws ChannelWildcardNotAllowed, TopicWildcardNotAllowed, GroupMentionNotAllowed
   */
  check(
    sender: Sender,
    rendered: RenderedMarkdown,
    channelId: number | null,
    topicParticipants: ReadonlySet<number>,
  ): void {
    if (channelId !== null) this.checkWildcards(sender, rendered, channelId, topicParticipants);
    this.checkGroups(sender, rendered);
  }

  /** Whom a topic wildcard notifies: participants of the topic, and the sender; empty without a wildcard. */
  async topicParticipants(
    db: Queryable,
    sender: Sender,
    rendered: RenderedMarkdown,
    place: MentioningPlace | null,
  ): Promise<ReadonlySet<number>> {
    if (!rendered.topicWildcard || place === null) return new Set();
    const topic = await this.topics.byName(db, place.channelId, place.topic);
    const participants = topic ? await this.topics.participantsOf(db, topic.id) : [];
    return new Set([...participants, sender.userId]);
  }

  private checkWildcards(
    sender: Sender,
    rendered: RenderedMarkdown,
    channelId: number,
    topicParticipants: ReadonlySet<number>,
  ): void {
    if (rendered.channelWildcard && !this.mayReach(sender, this.subscriptions.subscriberCount(channelId))) {
      throw new ChannelWildcardNotAllowed();
    }
    if (rendered.topicWildcard && !this.mayReach(sender, topicParticipants.size)) {
      throw new TopicWildcardNotAllowed();
    }
  }

  /** @throws GroupMentionNotAllowed */
  private checkGroups(sender: Sender, rendered: RenderedMarkdown): void {
    for (const groupId of rendered.mentionedGroupIds) {
      const group = this.groups.byId(groupId);
      if (group && !this.permissions.allowsInGroup(sender, group, 'can_mention_group')) {
        throw new GroupMentionNotAllowed(group.name ?? '');
      }
    }
  }

  /** Everybody mentioned through a group, at any depth. */
  membersOf(rendered: RenderedMarkdown): Set<number> {
    const members = new Set<number>();
    for (const groupId of rendered.mentionedGroupIds) {
      for (const userId of this.groups.membersOf(groupId)) members.add(userId);
    }
    return members;
  }

  private mayReach(sender: Sender, people: number): boolean {
    return (
      people <= MAX_FREE_WILDCARD ||
      this.permissions.allowsInOrganization(sender, 'can_mention_many_users_group')
    );
  }
}
