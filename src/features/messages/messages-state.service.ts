import { Injectable } from '@nestjs/common';
import { initialState, stateFor } from '../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../platform/hooks/hooks';
import { MAX_TOPIC_LENGTH } from '../channels/channels.module';
import { MessageScanService } from './scan/message-scan.service';
import { DirectConversationService } from './store/direct-conversation.service';
import { MAX_CONTENT_LENGTH } from './sending/message-text.service';

/** The ID sent to clients that have no messages. */
const NO_MESSAGE = -1;

/** Maximum number of recent conversations sent to a client. */
const MAX_CONVERSATIONS = 1000;

/** Initial state for clients: recent direct message conversations, and the length limits of messages. */
@Injectable()
export class MessagesStateService {
  constructor(conversations: DirectConversationService, scan: MessageScanService, hooks: Hooks) {
    hooks.on(
      initialState,
      stateFor('message', async (db, { reader }) => ({
        max_message_id: (reader && (await scan.newestFor(db, reader.userId))) ?? NO_MESSAGE,
      })),
    );
    hooks.on(
      initialState,
      stateFor('recent_private_conversations', async (db, { reader }) => {
        const recent = reader ? await conversations.recentOf(db, reader.userId, MAX_CONVERSATIONS) : [];
        return {
          recent_private_conversations: recent.map(({ newestMessageId, memberIds }) => ({
            max_message_id: newestMessageId,
            user_ids: memberIds.filter((userId) => userId !== reader?.userId),
          })),
        };
      }),
    );
    hooks.on(
      initialState,
      stateFor('realm', () => ({
        max_message_length: MAX_CONTENT_LENGTH,
        max_topic_length: MAX_TOPIC_LENGTH,
      })),
    );
  }
}
