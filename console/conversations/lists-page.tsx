import { Icon } from '../parts/icon';
import { Page } from '../parts/page';
import { ROOT } from '../router';
import * as words from '../words';
import { ChannelLines } from './channel-lines';
import { DirectLines } from './navigation';

/** The user's channels, for windows too narrow for the sidebar. */
export function OwnChannelsPage() {
  return (
    <Page
      title={words.conversations.channels}
      actions={
        <a class="button" href={`${ROOT}/channels`}>
          <Icon name="browse" />
          {words.browsing.title}
        </a>
      }
    >
      <div class="own-lines">
        <ChannelLines isPage />
      </div>
    </Page>
  );
}

/** Direct conversations, for windows too narrow for the sidebar. */
export function OwnMessagesPage() {
  return (
    <Page
      title={words.conversations.direct}
      actions={
        <a class="button" href={`${ROOT}/direct`}>
          <Icon name="plus" />
          {words.conversations.newDirect}
        </a>
      }
    >
      <div class="own-lines">
        <DirectLines isPage />
      </div>
    </Page>
  );
}
