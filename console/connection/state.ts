import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { applyEvent } from './apply-event';
import { stateOf, type State } from './known';
import { ROLE, type Person, type Registration, type ServerEvent } from './records';

const state = signal<State>({
  me: 0,
  organization: {},
  people: new Map(),
  groups: new Map(),
  channels: new Map(),
  emoji: {},
  settings: {},
  unread: new Map(),
  mentions: new Set(),
  topicPolicies: new Map(),
  topicNames: new Map(),
  mutedUsers: new Set(),
  statuses: new Map(),
  drafts: new Map(),
  scheduled: new Map(),
  reminders: new Map(),
  conversations: new Map(),
});

/** A part of the state; dependents are notified only when it changes. */
const part = <K extends keyof State>(name: K): ReadonlySignal<State[K]> => computed(() => state.value[name]);

export const organization = part('organization');
export const people = part('people');
export const groups = part('groups');
export const channels = part('channels');
export const emoji = part('emoji');
export const settings = part('settings');
export const unread = part('unread');
export const mentions = part('mentions');
export const topicPolicies = part('topicPolicies');
export const topicNames = part('topicNames');
export const mutedUsers = part('mutedUsers');
export const statuses = part('statuses');
export const drafts = part('drafts');
export const scheduled = part('scheduled');
export const reminders = part('reminders');
export const conversations = part('conversations');

/** A text setting of the organization; empty if unset. */
export function organizationText(name: string): string {
  const value = state.value.organization[name];
  return typeof value === 'string' ? value : '';
}

/** The signed-in user. */
export const me = computed<Person | undefined>(() => state.value.people.get(state.value.me));
export const myId = part('me');
export const queueId = part('queueId');
export const isAdministrator = computed(() => (me.value?.role ?? ROLE.guest) <= ROLE.administrator);
export const isOwner = computed(() => me.value?.role === ROLE.owner);

/** The name of a user, or a placeholder if they are no longer visible. */
export function nameOf(userId: number): string {
  return people.value.get(userId)?.full_name ?? `#${userId}`;
}

type Listener = (event: ServerEvent) => void;
const listeners = new Set<Listener>();

/** Subscribes a page to events. @returns an unsubscribe function */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Number of times the state was loaded; data fetched in an earlier epoch may be outdated. */
export const epoch = signal(0);

/** Starts with the state of a registration. */
export function begin(registration: Registration): void {
  state.value = stateOf(registration);
  epoch.value++;
}

/** The whole state, for another tab. */
export const snapshot = (): State => state.peek();

/** Starts with the state of another tab. */
export function resume(known: State): void {
  state.value = known;
  epoch.value++;
}

/** Applies events, and passes them to listeners. */
export function take(events: readonly ServerEvent[]): void {
  state.value = events.reduce(applyEvent, state.value);
  for (const event of events) for (const listener of listeners) listener(event);
}
