import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../parts/icon';
import { Page } from '../parts/page';
import { ROOT } from '../router';
import * as words from '../words';
import { ChannelLines } from './channel-lines';
import { DirectLines } from './navigation';

interface OwnLinesProperties {
  readonly title: string;
  /** A link next to the heading: to more of the same. */
  readonly more: { readonly path: string; readonly icon: IconName; readonly label: string };
  readonly children: ComponentChildren;
}

/** Lines of the sidebar as a page, for windows too narrow for the sidebar. */
function OwnLines({ title, more: { path, icon, label }, children }: OwnLinesProperties) {
  return (
    <Page
      title={title}
      actions={
        <a class="button" href={ROOT + path}>
          <Icon name={icon} />
          {label}
        </a>
      }
    >
      <div class="own-lines">{children}</div>
    </Page>
  );
}

/** The user's channels. */
export function OwnChannelsPage() {
  const more = { path: '/channels', icon: 'browse', label: words.browsing.title } as const;
  return (
    <OwnLines title={words.conversations.channels} more={more}>
      <ChannelLines isPage />
    </OwnLines>
  );
}

/** Direct conversations. */
export function OwnMessagesPage() {
  const more = { path: '/direct', icon: 'plus', label: words.conversations.newDirect } as const;
  return (
    <OwnLines title={words.conversations.direct} more={more}>
      <DirectLines isPage />
    </OwnLines>
  );
}
