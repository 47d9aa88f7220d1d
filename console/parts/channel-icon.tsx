import type { KnownChannel } from '../connection/records';
import { Icon } from './icon';

/** The color of a channel as a CSS property, which the style sheet adapts for contrast. */
export function colorOf(channel: KnownChannel | undefined): Record<string, string> | undefined {
  return channel?.color ? { '--channel': channel.color } : undefined;
}

/** The icon before a channel's name, in its color. */
export function ChannelIcon({ channel }: { readonly channel: KnownChannel | undefined }) {
  return (
    <span class="channel-icon" style={colorOf(channel)}>
      <Icon name={channel?.invite_only ? 'lock' : 'hash'} />
    </span>
  );
}
