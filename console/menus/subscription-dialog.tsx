import { channels } from '../connection/state';
import { join, leaveChannel } from '../conversations/visibility';
import { Confirm } from '../parts/dialog';
import { browsing } from '../words';
import * as words from './words';

interface SubscriptionDialogProperties {
  readonly channelId: number;
  readonly onClose: () => void;
}

/** Asks for confirmation before the user joins or leaves a channel. */
export function SubscriptionDialog({ channelId, onClose }: SubscriptionDialogProperties) {
  const channel = channels.value.get(channelId);
  if (!channel) return null;
  const { name, isSubscribed, invite_only: isPrivate } = channel;
  if (!isSubscribed) {
    return (
      <Confirm
        title={browsing.joinIt(name)}
        action={browsing.join}
        onConfirm={() => join(channel)}
        onClose={onClose}
      >
        <p>{words.channel.joinAbout(name)}</p>
      </Confirm>
    );
  }
  return (
    <Confirm
      title={words.channel.leave}
      action={words.channel.leave}
      isDangerous
      onConfirm={() => leaveChannel(channel)}
      onClose={onClose}
    >
      <p>{words.channel.leaveAbout(name)}</p>
      {isPrivate && <p>{browsing.leaveAbout}</p>}
    </Confirm>
  );
}
