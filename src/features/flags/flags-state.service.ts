import { Injectable } from '@nestjs/common';
import { initialState, stateFor } from '../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../platform/hooks/hooks';
import { PersonalMessagesService } from '../messages/messages.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import { unreadWire, type Unread } from './flags.api';
import { UnreadService } from './unread.service';

const NOTHING: Unread = { places: [], mentions: [], isTruncated: false };

/** Tells clients that register what their owner has not read, and what they have starred. */
@Injectable()
export class FlagsStateService {
  constructor(
    unread: UnreadService,
    messages: PersonalMessagesService,
    organization: OrganizationDirectory,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor(['update_message_flags', 'message'], async (db, { reader, capabilities }) => {
        // A client that does not know archived channels would count messages that it can show nowhere.
        const archived = capabilities.has('archived_channels');
        const showsEmpty = capabilities.has('empty_topic_name');
        const displayName = organization.settings.empty_topic_display_name;
        const shownTopic = (topic: string) => (showsEmpty ? topic : topic || displayName);
        const found = reader ? await unread.of(db, reader, { archived }) : NOTHING;
        return { unread_msgs: unreadWire(found, reader?.userId ?? 0, shownTopic) };
      }),
    );
    hooks.on(
      initialState,
      stateFor('starred_messages', async (db, { reader }) => ({
        starred_messages: reader ? await messages.starred(db, reader) : [],
      })),
    );
  }
}
