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

/** A part of the state: readers are notified only when it changes. */
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

/** A setting of the organization that is a text; empty where there is none. */
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

/** The name of a user, who may no longer be visible. */
export function nameOf(userId: number): string {
  return people.value.get(userId)?.full_name ?? `#${userId}`;
}

type Listener = (event: ServerEvent) => void;
const listeners = new Set<Listener>();

/** Has a page hear of events. @returns ends it */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often the state was read anew: what was fetched before may have missed something since. */
export const epoch = signal(0);

/** Begins with what a registration tells. */
export function begin(registration: Registration): void {
  state.value = stateOf(registration);
  epoch.value++;
}

/** Everything that is known, for another tab. */
export const snapshot = (): State => state.peek();

/** Begins with what another tab knows. */
export function resume(known: State): void {
  state.value = known;
  epoch.value++;
}

/** Takes in what happened. */
export function take(events: readonly ServerEvent[]): void {
  state.value = events.reduce(applyEvent, state.value);
  for (const event of events) for (const listener of listeners) listener(event);
}
