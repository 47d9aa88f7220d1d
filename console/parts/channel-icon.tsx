import type { KnownChannel } from '../connection/records';
import { Icon } from './icon';

/** The color of a channel as a property of an element, of which the style sheet makes one that can be seen on the page. */
export function colorOf(channel: KnownChannel | undefined): Record<string, string> | undefined {
  return channel?.color ? { '--channel': channel.color } : undefined;
}

/** What stands before the name of a channel, in its color. */
export function ChannelIcon({ channel }: { readonly channel: KnownChannel | undefined }) {
  return (
    <span class="channel-icon" style={colorOf(channel)}>
      <Icon name={channel?.invite_only ? 'lock' : 'hash'} />
    </span>
  );
}
