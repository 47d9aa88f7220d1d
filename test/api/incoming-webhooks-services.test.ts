import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INTEGRATIONS } from '../../src/features/integrations/incoming-webhooks/services';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchMessages } from '../support/message-setup';
import { addBot } from '../support/permissions/actors';
import { TestApp } from '../support/test-app';
import { ALERT_CASES } from '../support/webhooks/alert-cases';
import { callService } from '../support/webhooks/call-service';
import { FORGE_CASES } from '../support/webhooks/forge-cases';
import { FORGE_EVENT_CASES } from '../support/webhooks/forge-event-cases';
import { GITHUB_CASES } from '../support/webhooks/github-cases';
import { GITHUB_EVENT_CASES } from '../support/webhooks/github-event-cases';
import { OTHER_CASES } from '../support/webhooks/other-cases';
import { RARE_CASES } from '../support/webhooks/rare-cases';
import { SERVICE_EVENT_CASES } from '../support/webhooks/service-event-cases';
import { TRACKER_EVENT_CASES } from '../support/webhooks/tracker-event-cases';

/**
 * The table is what a reviewer reads, and what people see. Where a change is meant to move it, run this file with
 * WRITE_WEBHOOK_MESSAGES=1 and have the difference reviewed.
 */
const file = join(__dirname, '../spec/webhook-messages.txt');
const isWriting = Boolean(process.env.WRITE_WEBHOOK_MESSAGES);
const cases = [
  ...[...GITHUB_CASES, ...FORGE_CASES, ...ALERT_CASES, ...OTHER_CASES, ...RARE_CASES],
  ...[...GITHUB_EVENT_CASES, ...FORGE_EVENT_CASES, ...TRACKER_EVENT_CASES, ...SERVICE_EVENT_CASES],
];

let app: TestApp;
let bot: Member;
let channel: number;
let newest = 0;
const written = new Map<string, string>();

beforeAll(async () => {
  app = await TestApp.start();
  bot = await addBot(app, app.cast.mia, 2);
  channel = await createChannel(app, app.cast.mia, 'services');
});

afterAll(async () => {
  await app.stop();
  if (!isWriting) return;
  const parts = [...written].map(([title, text]) => `== ${title}\n${text}\n`);
  writeFileSync(file, `${INTRODUCTION}\n${parts.join('\n')}`);
});

const INTRODUCTION = `What people read of what services send (test/support/webhooks): behind "--" the topic, under it the Markdown.
"nothing" stands where no message is sent.
`;

/** By service and what it is about, what the table says. */
function expected(): ReadonlyMap<string, string> {
  const [, ...parts] = readFileSync(file, 'utf8').split(/^== /m);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1).trimEnd()];
    }),
  );
}

/** Topics and contents of what the bot said since the last time, as the table has them. */
async function saidSince(): Promise<string> {
  const narrow = [{ operator: 'channel', operand: channel }];
  const answer = await fetchMessages(app, app.cast.mia, narrow, { apply_markdown: false });
  const messages: { id: number; sender_id: number; subject: string; content: string }[] =
    expectSuccess(answer).messages;
  const fresh = messages.filter(({ id, sender_id }) => id > newest && sender_id === bot.id);
  newest = Math.max(newest, ...fresh.map(({ id }) => id));
  if (fresh.length === 0) return 'nothing';
  const indented = (content: string) => content.replace(/^(?=.)/gm, '   ');
  return fresh.map(({ subject, content }) => `-- ${subject}\n${indented(content)}`).join('\n');
}

describe('Services tell', () => {
  it.each(cases)('$service: $about', async ({ service, about, headers, address, payload }) => {
    const to = { stream: String(channel), ...address };
    expectSuccess(await callService(app, bot, service, { headers, payload, address: to }));
    const said = await saidSince();
    const title = `${service}: ${about}`;
    written.set(title, said);
    if (!isWriting) expect(said).toBe(expected().get(title));
  });

  it('of every integration', () => {
    const tried = new Set(cases.map(({ service }) => service));
    expect(tried).toEqual(new Set(INTEGRATIONS.map(({ name }) => name)));
  });

  it('each under a name of its own', () => {
    const titles = cases.map(({ service, about }) => `${service}: ${about}`);
    expect(new Set(titles).size).toBe(titles.length);
    if (!isWriting) expect([...expected().keys()]).toEqual(titles);
  });
});
