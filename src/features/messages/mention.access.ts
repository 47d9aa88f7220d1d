import { Injectable } from '@nestjs/common';
import { GroupDirectory } from '../user-groups/group.directory';
import { PermissionService } from '../user-groups/permission.service';
import type { Sender } from '../channels/posting.access';
import { SubscriptionDirectory } from '../channels/subscription.directory';
import {
  ChannelWildcardNotAllowed,
  GroupMentionNotAllowed,
  TopicWildcardNotAllowed,
} from './messages.errors';
import type { RenderedMarkdown } from './rendering/render-markdown';

/** Up to this many people may be mentioned at once without a permission (messages reference 2.3). */
const MAX_FREE_WILDCARD = 15;

/** Decides who may mention many people at once. */
@Injectable()
export class MentionAccess {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly permissions: PermissionService,
    private readonly subscriptions: SubscriptionDirectory,
  ) {}

  /**
   * Checks the wildcards of a message to a channel.
   * @param topicParticipants whom a topic wildcard reaches
   * @throws ChannelWildcardNotAllowed, TopicWildcardNotAllowed
   */
  checkWildcards(
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

  /** @throws GroupMentionNotAllowed (groups reference 6.10) */
  checkGroups(sender: Sender, rendered: RenderedMarkdown): void {
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
