import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { ApiError } from '../../../platform/errors/api-error';
import { ChannelDirectory, type ChannelRecord } from '../../channels/channels.module';
import { MessageAccess, type ReadableMessage } from '../../messages/messages.module';
import {
  type ActionQuestion,
  explainableActionsSought,
  type ExplainableActions,
  type Explanation,
  PermissionService,
} from '../../user-groups/user-groups.module';
import { DirectMessageToChannel, DirectMessageWithTopic } from './rights.api';
import { MessageDeleteAccess, MessageEditAccess } from './message-edit.access';
import { MessageMoveAccess } from './message-move.access';

/** @returns why it is allowed. @throws ApiError with the reason why it is not */
type Explain = (person: Actor, messageId: number) => Promise<Explanation['chain']>;

/** Explains why a person may or may not do something with a message, by the same rules as the endpoints. */
@Injectable()
export class MessageActions implements ExplainableActions {
  readonly object = 'message';
  private readonly byName: ReadonlyMap<string, Explain>;

  constructor(
    private readonly database: Database,
    private readonly messages: MessageAccess,
    private readonly editing: MessageEditAccess,
    private readonly deleting: MessageDeleteAccess,
    private readonly moving: MessageMoveAccess,
    private readonly channels: ChannelDirectory,
    private readonly permissions: PermissionService,
    hooks: Hooks,
  ) {
    this.byName = new Map<string, Explain>([
      ['read', (person, id) => this.explainReading(person, id)],
      ['react', (person, id) => this.explainReacting(person, id)],
      ['edit', (person, id) => this.explainEditing(person, id)],
      ['delete', (person, id) => this.explainDeleting(person, id)],
      ['change_topic', (person, id) => this.explainChangingTopic(person, id)],
      ['change_channel', (person, id) => this.explainChangingChannel(person, id)],
      ['resolve_topic', (person, id) => this.explainResolving(person, id)],
    ]);
    hooks.on(explainableActionsSought, () => this);
  }

  get names(): Iterable<string> {
    return this.byName.keys();
  }

  /** @throws InvalidMessage unless the asker can read the message */
  async explain({ asker, person, action, objectId }: ActionQuestion): Promise<Explanation> {
    await this.messages.forReading(this.database.read, asker, objectId);
    const explain = this.byName.get(action) as Explain;
    try {
      return { allowed: true, chain: await explain(person, objectId) };
    } catch (error) {
      if (error instanceof ApiError) return { allowed: false, chain: [error.message] };
      throw error;
    }
  }

  private async explainReading(person: Actor, id: number): Promise<Explanation['chain']> {
    await this.messages.forReading(this.database.read, person, id);
    return ['message within reach'];
  }

  private async explainReacting(person: Actor, id: number): Promise<Explanation['chain']> {
    await this.messages.forChanging(this.database.read, person, id);
    return ['message within reach'];
  }

  private async explainEditing(person: Actor, id: number): Promise<Explanation['chain']> {
    await this.editing.forEditing(this.database.read, person, id);
    return ['sender'];
  }

  private async explainDeleting(person: Actor, id: number): Promise<Explanation['chain']> {
    const { message } = await this.messages.forChanging(this.database.read, person, id);
    this.deleting.check(person, message);
    const setting = 'can_delete_any_message_group';
    const { allowed, chain } = this.permissions.explainInOrganization(person, setting);
    if (allowed) return chain;
    return message.senderId === person.userId
      ? ['sender']
      : ['permission of the channel, or owner of the bot'];
  }

  private async explainChangingTopic(person: Actor, id: number): Promise<Explanation['chain']> {
    const { message } = await this.messages.forChanging(this.database.read, person, id);
    const channel = this.channelOf(message);
    if (!channel) throw new DirectMessageWithTopic();
    this.moving.checkMayChangeTopic(person, channel, message);
    return this.moving.explain(person, channel, 'change_topic').chain;
  }

  /** Whether the message may leave its channel; the destination has its own conditions. */
  private async explainChangingChannel(person: Actor, id: number): Promise<Explanation['chain']> {
    const { message } = await this.messages.forChanging(this.database.read, person, id);
    const channel = this.channelOf(message);
    if (!channel) throw new DirectMessageToChannel();
    this.moving.checkMayChangeChannel(person, channel);
    this.moving.checkNotTooOldToLeave(person, message);
    return this.moving.explain(person, channel, 'change_channel').chain;
  }

  private async explainResolving(person: Actor, id: number): Promise<Explanation['chain']> {
    const { message } = await this.messages.forChanging(this.database.read, person, id);
    const channel = this.channelOf(message);
    if (!channel) throw new DirectMessageWithTopic();
    this.moving.checkMayResolve(person, channel);
    return this.moving.explain(person, channel, 'resolve_topic').chain;
  }

  private channelOf({ channelId }: ReadableMessage['message']): ChannelRecord | undefined {
    return channelId === null ? undefined : this.channels.byId(channelId);
  }
}
