import { mentions } from '../connection/state';
import { EVERYWHERE, IN_CHANNELS, IN_DIRECT, unreadIn } from '../conversations/unread-counts';
import { Icon, type IconName } from '../parts/icon';
import { path, ROOT } from '../router';
import * as words from '../words';
import { SelfButton } from './self';

interface TabProperties {
  readonly href: string;
  readonly icon: IconName;
  readonly name: string;
  readonly isUnread?: boolean;
}

function Tab({ href, icon, name, isUnread }: TabProperties) {
  return (
    <a href={href} title={name} aria-current={path.value === href ? 'page' : undefined}>
      <Icon name={icon} />
      {isUnread && <span class="dot" />}
      <span class="tab-name">{name}</span>
      {isUnread && <span class="unseen">{words.conversations.unread}</span>}
    </a>
  );
}

/** The navigation of narrow windows: below the page on phones, otherwise next to it. */
export function Tabs() {
  const { inbox, channels } = words.conversations;
  return (
    <nav class="tabs" aria-label={words.tabs.title}>
      <Tab
        href={ROOT}
        icon="inbox"
        name={inbox}
        isUnread={unreadIn(EVERYWHERE) > 0 || mentions.value.size > 0}
      />
      <Tab href={`${ROOT}/own/channels`} icon="hash" name={channels} isUnread={unreadIn(IN_CHANNELS) > 0} />
      <Tab
        href={`${ROOT}/own/messages`}
        icon="chat"
        name={words.tabs.messages}
        isUnread={unreadIn(IN_DIRECT) > 0}
      />
      <Tab href={`${ROOT}/search`} icon="search" name={words.tabs.search} />
      <SelfButton isTab />
    </nav>
  );
}
