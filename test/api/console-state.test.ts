import { applyEvent, REGISTRATION } from '../../console/connection/apply-event';
import { isMutedIn, stateOf, type State } from '../../console/connection/known';
import type { Registration } from '../../console/connection/records';
import type { Place } from '../../console/connection/place';
import { Role } from '../../src/platform/actor';
import { RandomOperations } from '../support/random-operations';
import { TestApp } from '../support/test-app';
import { TestQueue } from '../support/test-queue';

const SEED = 7;
const STEPS = 400;
const EVERY = 40;

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ withoutLaw: 'what the console makes of events is what this is about' });
});

afterAll(() => app.stop());

/** What is compared of a state: maps in the order of their keys, and of what the console shows. */
function comparable(state: State) {
  const { people, groups, channels, unread, mentions, topicPolicies, mutedUsers, statuses, ...rest } = state;
  const names = new Map([...state.topicNames].filter(([key]) => topicPolicies.has(key)));
  const inOrder = <K, V>(map: ReadonlyMap<K, V>) =>
    [...map].sort(([one], [other]) => String(one).localeCompare(String(other)));
  return {
    ...rest,
    // Each registration has its own.
    queueId: undefined,
    // What no event keeps up, as it depends on the clock or is known from elsewhere.
    organization: Object.fromEntries(
      Object.entries(rest.organization).filter(([key]) =>
        /^realm_(name|description|can_.*_group)$/.test(key),
      ),
    ),
    conversations: undefined,
    people: inOrder(people).map(([, { user_id, full_name, role, is_active, is_guest }]) => ({
      user_id,
      full_name,
      role,
      is_active,
      is_guest,
    })),
    groups: inOrder(groups).map(([, { members, direct_subgroup_ids, ...group }]) => ({
      ...group,
      members: [...members].sort(),
      direct_subgroup_ids: [...direct_subgroup_ids].sort(),
    })),
    channels: inOrder(channels).map(
      ([, { stream_id, name, description, isSubscribed, invite_only, is_archived, subscriber_count }]) => ({
        stream_id,
        name,
        description,
        isSubscribed,
        invite_only,
        is_archived,
        subscriber_count,
      }),
    ),
    unread: inOrder(unread).map(([id, place]) => [
      id,
      'topic' in place ? { ...place, topic: place.topic.toLowerCase() } : place,
    ]),
    // A registration leaves out mentions of everybody in muted topics; no event tells of them when a topic is muted or unmuted.
    mentions: [...mentions].filter((id) => !isMuted(state, unread.get(id))).sort(),
    topicPolicies: inOrder(topicPolicies),
    // Those of topics that are as any other stay, and are not shown.
    topicNames: inOrder(names),
    mutedUsers: [...mutedUsers].sort((one, other) => one - other),
    statuses: inOrder(statuses),
  };
}

function isMuted(state: State, place: Place | undefined): boolean {
  return place !== undefined && 'channelId' in place && isMutedIn(state, place.channelId, place.topic);
}

it.each(['olivia', 'mia', 'gus'] as const)(
  'what the console makes of events is what it would be told now, for %s',
  async (name) => {
    const spare = await Promise.all(
      [Role.member, Role.guest].map((role, at) =>
        app.addAccount({ deliveryEmail: `${name}${at}@example.com`, fullName: `${name} ${at}`, role }),
      ),
    );
    const operations = new RandomOperations(app, SEED, spare, await app.companionAs(app.cast.olivia));
    const register = () => TestQueue.register(app.onlooker(app.cast[name]), REGISTRATION);
    const fresh = async () => stateOf((await register()).state as Registration);
    const queue = await register();
    let state = stateOf(queue.state as Registration);
    for (let step = 1; step <= STEPS; step++) {
      await operations.step();
      if (step % EVERY > 0) continue;
      state = (await queue.events()).reduce(applyEvent, state);
      expect(comparable(state)).toEqual(comparable(await fresh()));
    }
  },
  300_000,
);
