import { call } from '../connection/call';
import { topicKey } from '../connection/place';
import { TOPIC_POLICY, type KnownChannel } from '../connection/records';
import { topicPolicies } from '../connection/state';
import { announce } from '../parts/status';
import { attempt } from '../parts/task';
import * as words from '../words';
import { placeName } from './places';

/** Announces that something was muted or unmuted, and offers to undo that. */
function announceMuting(name: string, isMuted: boolean, undo: () => Promise<unknown>): void {
  const text = isMuted ? words.conversations.nowMuted(name) : words.conversations.nowUnmuted(name);
  announce(text, { label: words.undo, run: () => attempt(undo()) });
}

/** The user's visibility policy for a topic. */
export const policyOf = (channelId: number, topic: string): number =>
  topicPolicies.value.get(topicKey(channelId, topic)) ?? TOPIC_POLICY.none;

/** Sets the user's visibility policy for a topic. Muting and unmuting can be undone. */
export async function setTopicPolicy(channelId: number, topic: string, policy: number): Promise<void> {
  const before = policyOf(channelId, topic);
  const set = (visibility_policy: number) =>
    call('POST', 'user_topics', { stream_id: channelId, topic, visibility_policy });
  await set(policy);
  const isMuted = policy === TOPIC_POLICY.muted;
  if (isMuted === (before === TOPIC_POLICY.muted)) return;
  announceMuting(placeName({ channelId, topic }), isMuted, () => set(before));
}

/** Sets a personal property of a channel. */
export const setOfChannel = (channelId: number, property: string, value: boolean) =>
  call('POST', 'users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property, value }],
  });

/** Mutes or unmutes a channel. */
export async function toggleChannelMuted({ stream_id, name, is_muted }: KnownChannel): Promise<void> {
  const isMuted = is_muted !== true;
  await setOfChannel(stream_id, 'is_muted', isMuted);
  announceMuting(`#${name}`, isMuted, () => setOfChannel(stream_id, 'is_muted', !isMuted));
}

/** Subscribes the user to a channel. */
export async function join({ name }: Pick<KnownChannel, 'name'>): Promise<void> {
  await call('POST', 'users/me/subscriptions', { subscriptions: [{ name }] });
  announce(words.browsing.joined(name));
}

/** Unsubscribes the user from a channel, and offers to undo that if they can rejoin by themselves. */
export async function leaveChannel({ name, color, invite_only: isPrivate }: KnownChannel): Promise<void> {
  await call('DELETE', 'users/me/subscriptions', { subscriptions: [name] });
  const back = () => call('POST', 'users/me/subscriptions', { subscriptions: [{ name, color }] });
  const undo = { label: words.undo, run: () => attempt(back()) };
  announce(words.browsing.left(name), isPrivate ? undefined : undo);
}
