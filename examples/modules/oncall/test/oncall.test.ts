import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { type Parley, startParley } from 'parley/testing';

const PATH = '/modules/oncall';
const folder = mkdtempSync(join(tmpdir(), 'oncall-'));

/** Alice and Bob take turns on Mondays at nine in Berlin; Mona has one of Bob's weeks. */
const TEAM = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//oncall//EN
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:alice@example.com
DTSTAMP:20260101T000000Z
DTSTART;TZID=Europe/Berlin:20260302T090000
DTEND;TZID=Europe/Berlin:20260309T090000
RRULE:FREQ=WEEKLY;INTERVAL=2
SUMMARY:On call
ATTENDEE;CN=Alice:mailto:Alice@example.com
END:VEVENT
BEGIN:VEVENT
UID:bob@example.com
DTSTAMP:20260101T000000Z
DTSTART;TZID=Europe/Berlin:20260309T090000
DTEND;TZID=Europe/Berlin:20260316T090000
RRULE:FREQ=WEEKLY;INTERVAL=2
SUMMARY:On call: bob@example.com
END:VEVENT
BEGIN:VEVENT
UID:bob@example.com
DTSTAMP:20260101T000000Z
RECURRENCE-ID;TZID=Europe/Berlin:20260323T090000
DTSTART;TZID=Europe/Berlin:20260323T090000
DTEND;TZID=Europe/Berlin:20260330T090000
SUMMARY:On call: mona@example.com
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n');

let parley: Parley;
let groupId: number;
before(async () => {
  parley = await startParley({
    modules: [join(__dirname, '../..')],
    settings: { MODULE_ONCALL_FOLDER: folder },
  });
});
beforeEach(async () => {
  await parley.reset();
  writeFileSync(join(folder, 'team.ics'), TEAM);
  await parley.clock.stop();
  await parley.clock.set('2026-03-03T12:00:00Z');
  const { group_id } = await parley.as('olivia').post('/user_groups/create', {
    name: 'firefighters',
    description: '',
    members: [idOf('adam')],
  });
  groupId = Number(group_id);
});
after(async () => {
  await parley.stop();
  rmSync(folder, { recursive: true, force: true });
});

function idOf(name: string): number {
  return parley.people[name]!.id;
}

async function setUp(who = 'olivia', more: object = {}): Promise<{ id: number; on_call: number[] }> {
  const answer = await parley.as(who).post(PATH, { group_id: groupId, calendar: 'team.ics', ...more });
  return answer['rotation'] as { id: number; on_call: number[] };
}

async function members(): Promise<unknown> {
  return (await parley.as('olivia').get(`/user_groups/${groupId}/members`))['members'];
}

test('a group follows its calendar, also through the change of the clocks', async () => {
  const { stream_id } = await parley.as('olivia').get('/get_stream_id', { stream: 'lobby' });
  assert.deepEqual((await setUp('olivia', { channel_id: stream_id })).on_call, [idOf('alice')]);
  assert.deepEqual(await members(), [idOf('alice')]);
  await parley.expectMessage({
    channel: 'lobby',
    topic: 'on call',
    content: /\d+\*\* is on call until <time:2026-03-09T08:00/,
  });
  // A Monday in winter: nine in Berlin is eight in UTC.
  await parley.clock.set('2026-03-09T07:59:00Z');
  assert.deepEqual(await members(), [idOf('alice')]);
  await parley.clock.set('2026-03-09T08:00:01Z');
  assert.deepEqual(await members(), [idOf('bob')]);
  // One week is somebody else's, and ends in summer time.
  await parley.clock.set('2026-03-25T12:00:00Z');
  assert.deepEqual(await members(), [idOf('mona')]);
  await parley.clock.set('2026-03-30T06:59:00Z');
  assert.deepEqual(await members(), [idOf('mona')]);
  await parley.clock.set('2026-03-30T07:00:01Z');
  assert.deepEqual(await members(), [idOf('alice')]);
  const events = await parley.journal({ type: 'module_oncall' });
  assert.deepEqual(
    events.map(({ event }) => (event as { rotation: { on_call: number[] } }).rotation.on_call),
    [[idOf('alice')], [idOf('bob')], [idOf('mona')], [idOf('alice')]],
  );
});

test('what others do to the group is put right at the next look, and a new file counts', async () => {
  await setUp();
  await parley.as('olivia').post(`/user_groups/${groupId}/members`, { add: [idOf('gus')] });
  await parley.clock.advance(301_000);
  assert.deepEqual(await members(), [idOf('alice')]);
  writeFileSync(join(folder, 'team.ics'), TEAM.replace('mailto:Alice@', 'mailto:gus@'));
  await parley.clock.advance(301_000);
  assert.deepEqual(await members(), [idOf('gus')]);
});

test('who set it up hears once of what is wrong, and the group stays as it was', async () => {
  const { id } = await setUp();
  writeFileSync(join(folder, 'team.ics'), TEAM.replace('mailto:Alice@', 'mailto:nobody@'));
  for (let round = 0; round < 3; round++) await parley.clock.advance(301_000);
  const complaints = (await parley.messages()).filter(({ content }) => content.includes('does not follow'));
  assert.deepEqual(
    complaints.map(({ content }) => content),
    ['The group firefighters does not follow its calendar: Nobody here has the address nobody@example.com.'],
  );
  assert.deepEqual(await members(), [idOf('alice')]);
  writeFileSync(join(folder, 'team.ics'), 'hello');
  await parley.clock.advance(301_000);
  await parley.expectMessage({ content: /"team\.ics" is no calendar/ });
  await parley.as('olivia').delete(`${PATH}/${id}`);
  assert.deepEqual((await parley.as('bob').get(PATH))['rotations'], []);
});

test('only those set it up who may change the group, with a calendar that is there', async () => {
  await assert.rejects(setUp('alice'), /Insufficient permission/);
  await assert.rejects(setUp('olivia', { calendar: 'other.ics' }), /There is no calendar "other\.ics"/);
  await assert.rejects(setUp('olivia', { calendar: '../team.ics' }), /a file such as "team\.ics"/);
  await assert.rejects(setUp('olivia', { group_id: 999_999 }), /Invalid user group/);
  await assert.rejects(parley.as('gus').get(PATH), /Not allowed for guest users/);
  await setUp();
  await assert.rejects(setUp(), /follows a calendar already/);
  const { id } = ((await parley.as('bob').get(PATH))['rotations'] as { id: number }[])[0]!;
  await assert.rejects(parley.as('bob').delete(`${PATH}/${id}`), /Only who set up a rotation/);
});
