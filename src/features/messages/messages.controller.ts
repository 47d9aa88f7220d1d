import { Controller, Get, Post } from '@nestjs/common';
import { FetchMessagesService, type FetchRequest } from './fetching/fetch-messages.service';
import { MessageRendererService } from './markdown/message-renderer.service';
import {
  FetchMessageDto,
  FetchMessagesDto,
  MatchNarrowDto,
  RenderMessageDto,
  SendMessageDto,
} from './messages.api';
import { type SendMessageRequest, SendMessageService } from './sending/send-message.service';
import { SubmessagesService } from './widgets/submessages.service';
import { AddSubmessageDto } from './widgets/widgets.api';
import type { Actor } from '../../platform/actor';
import {
  AllowIncomingWebhookBots,
  CurrentActor,
  KeepsToChannels,
  NeedsScope,
  OptionalCredentials,
} from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** Sending, fetching and rendering messages. */
@Controller('api/v1/messages')
@NeedsScope('read', 'send')
export class MessagesController {
  constructor(
    private readonly sending: SendMessageService,
    private readonly fetching: FetchMessagesService,
    private readonly renderer: MessageRendererService,
  ) {}

  /** Sends a message to a channel or to people. */
  @Post()
  @AllowIncomingWebhookBots()
  @KeepsToChannels()
  send(@CurrentActor() actor: Actor, @Parameters() input: SendMessageDto) {
    return this.sending.send(actor, toSendRequest(input));
  }

  /** Fetches messages: those around an anchor that match a narrow, or those with the given IDs. */
  @Get()
  @OptionalCredentials()
  @KeepsToChannels()
  fetch(@CurrentActor() actor: Actor | null, @Parameters() input: FetchMessagesDto) {
    return this.fetching.fetch(actor, toFetchRequest(input));
  }

  /** Reports which messages match a narrow, with the matched text highlighted. */
  @Get('matches_narrow')
  @KeepsToChannels()
  async match(@CurrentActor() actor: Actor, @Parameters() input: MatchNarrowDto) {
    return { messages: await this.fetching.match(actor, input.msg_ids, input.narrow) };
  }

  /** Fetches one message. */
  @Get(':message_id(\\d+)')
  @KeepsToChannels()
  async fetchOne(@CurrentActor() actor: Actor, @Parameters() input: FetchMessageDto) {
    const { message, rawContent } = await this.fetching.fetchOne(actor, input.message_id, {
      applyMarkdown: input.apply_markdown,
      clientGravatar: true,
      allowEmptyTopicName: input.allow_empty_topic_name,
    });
    return { message, raw_content: rawContent };
  }

  /** Renders Markdown as HTML, without sending anything. */
  @Post('render')
  @NeedsScope('read')
  @KeepsToChannels()
  async render(@CurrentActor() actor: Actor, @Parameters() input: RenderMessageDto) {
    return { rendered: (await this.renderer.renderFor(actor, input.content)).html };
  }
}

function toSendRequest(input: SendMessageDto): SendMessageRequest {
  const { queue_id: queueId, local_id: localId } = input;
  return {
    kind: input.type === 'stream' || input.type === 'channel' ? 'channel' : 'direct',
    to: input.to,
    topic: input.topic,
    content: {
      content: input.content,
      isReadBySender: input.read_by_sender,
      widgetContent: input.widget_content,
      ...(queueId !== undefined && localId !== undefined ? { echo: { queueId, localId } } : {}),
    },
    isMirrored: input.sender !== undefined,
    isForged: input.forged === 'yes' || input.forged === 'true',
  };
}

function toFetchRequest(input: FetchMessagesDto): FetchRequest {
  return {
    narrow: input.narrow,
    range: {
      anchor: input.anchor,
      anchorDate: input.anchor_date,
      useFirstUnreadAnchor: input.use_first_unread_anchor,
      includeAnchor: input.include_anchor,
      numBefore: input.num_before,
      numAfter: input.num_after,
    },
    messageIds: input.message_ids,
    form: {
      applyMarkdown: input.apply_markdown,
      clientGravatar: input.client_gravatar,
      allowEmptyTopicName: input.allow_empty_topic_name,
    },
  };
}

/** Submissions to polls, to-do lists and other widgets. */
@Controller('api/v1/submessage')
@NeedsScope('send')
export class WidgetsController {
  constructor(private readonly submessages: SubmessagesService) {}

  /** Adds a submission to a message: a vote in a poll, a new task in a to-do list. */
  @Post()
  add(@CurrentActor() actor: Actor, @Parameters() input: AddSubmessageDto): Promise<void> {
    const { message_id: messageId, msg_type: msgType, content } = input;
    return this.submessages.add(actor, messageId, { msgType, content });
  }
}
