import { Icon } from '../parts/icon';
import { Page } from '../parts/page';
import { ROOT } from '../router';
import * as words from '../words';
import { ChannelLines } from './channel-lines';
import { DirectLines } from './navigation';

/** The channels that one is in, where the window is too narrow for them to stand beside the page. */
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

/** Direct conversations, where the window is too narrow for them to stand beside the page. */
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
