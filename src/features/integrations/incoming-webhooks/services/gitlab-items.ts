import type { IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { link, safe } from '../reading/safe-text';
import { assignedTo, branchesOf, itemLink, itemTopic, shortHash, withQuote } from './git-text';

/** Who did it: hooks of pushes name the person at the top, all others in an object. */
export const userOf = (payload: Payload) => payload.firstText('user.name', 'user_name', 'user.username');

/** What the project is called. */
export const projectOf = (payload: Payload) =>
  payload.firstText('project.name', 'repository.name', 'project_name');

/** Where the project is. */
export const projectUrl = (payload: Payload) =>
  payload.textOr('project.web_url', payload.textOr('repository.homepage', ''));

/** What GitLab says that was done to an issue or request, in the words of a sentence. */
const WORDS: Readonly<Record<string, string>> = {
  open: 'created',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'took back the approval of',
  unapproval: 'took back the approval of',
};

function assigneesOf(payload: Payload): string[] {
  const people = payload.list('assignees').map((person) => person.text('name'));
  return people.length > 0 || !payload.has('assignee.name') ? people : [payload.text('assignee.name')];
}

/** Whether topics of merge requests have their titles. */
const hasTitles = (call: IntegrationCall) => call.option('use_merge_request_title') !== 'false';

/** Templates of descriptions are full of them. Each search ends where the next one would begin. */
const withoutHtmlComments = (text: string) => text.replace(/<!--(?:(?!<!--)[^])*?-->/g, '');

function itemOf({ payload, namesItself }: IntegrationCall, kind: string, at: string) {
  const item = payload.object(at);
  return {
    kind,
    number: item.textOr('iid', item.textOr('id', '')),
    title: item.textOr('title', ''),
    url: item.textOr('url', ''),
    isNamed: namesItself,
  };
}

/** An issue. */
export function issue(call: IntegrationCall, header: string): IntegrationPost {
  const { payload } = call;
  const action = payload.textOr('object_attributes.action', 'open');
  const item = itemOf(call, 'issue', 'object_attributes');
  const isNew = action === 'open';
  const text = isNew ? payload.textOr('object_attributes.description', '') : '';
  const assignees = assignedTo(isNew ? assigneesOf(payload) : []);
  const did = Object.hasOwn(WORDS, action) ? WORDS[action] : undefined;
  if (did === undefined) throw call.unsupported(`${header} ${action}`);
  return {
    event: `${header} ${action}`,
    topic: itemTopic(projectOf(payload), 'issue', item.number, item.title),
    content: withQuote(
      safe`${userOf(payload)} ${did} ${itemLink(item)}${assignees}`,
      withoutHtmlComments(text),
    ),
  };
}

/** A merge request. */
export function mergeRequest(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const action = payload.textOr('object_attributes.action', 'open');
  const item = itemOf(call, 'MR', 'object_attributes');
  const isPushed = action === 'update' && payload.has('object_attributes.oldrev');
  const did = isPushed ? 'added commits to' : Object.hasOwn(WORDS, action) ? WORDS[action] : undefined;
  if (did === undefined) throw call.unsupported(`Merge Request Hook ${action}`);
  const isDescribed = action === 'open' || (action === 'update' && !isPushed);
  const attributes = payload.at('object_attributes');
  const branches =
    action === 'open' || action === 'merge'
      ? branchesOf(attributes.textOr('source_branch', ''), attributes.textOr('target_branch', ''))
      : safe``;
  const assignees = assignedTo(isDescribed ? assigneesOf(payload) : []);
  const sentence = safe`${userOf(payload)} ${did} ${itemLink(item)}${branches}${assignees}`;
  return {
    event: `Merge Request Hook ${action}`,
    topic: itemTopic(projectOf(payload), 'MR', item.number, hasTitles(call) ? item.title : '').trim(),
    content: withQuote(
      sentence,
      isDescribed ? withoutHtmlComments(attributes.textOr('description', '')) : '',
    ),
  };
}

/** What can be commented on: where it is in the payload, and how sentences call it. */
const NOTED: Readonly<Record<string, { readonly at: string; readonly kind: string }>> = {
  MergeRequest: { at: 'merge_request', kind: 'MR' },
  Issue: { at: 'issue', kind: 'issue' },
  Snippet: { at: 'snippet', kind: 'snippet' },
};

/** A comment. */
export function note(call: IntegrationCall, header: string): IntegrationPost {
  const { payload } = call;
  const type = payload.text('object_attributes.noteable_type');
  const did = safe`${userOf(payload)} ${link('commented', payload.text('object_attributes.url'))} on`;
  const text = payload.textOr('object_attributes.note', '');
  const event = `${header} ${type}`;
  if (type === 'Commit') {
    const commit = link(shortHash(payload.text('commit.id')), payload.text('commit.url'));
    return { event, topic: projectOf(payload), content: withQuote(safe`${did} ${commit}`, text) };
  }
  const noted = Object.hasOwn(NOTED, type) ? NOTED[type] : undefined;
  if (!noted) throw call.unsupported(event);
  const item = itemOf(call, noted.kind, noted.at);
  const title = noted.kind === 'MR' && !hasTitles(call) ? '' : item.title;
  const topic = itemTopic(projectOf(payload), noted.kind, item.number, title).trim();
  // Not every hook says where the thing itself is; the comment is there, too.
  const url = item.url || payload.text('object_attributes.url').replace(/#.*$/, '');
  return { event, topic, content: withQuote(safe`${did} ${itemLink({ ...item, url })}`, text) };
}
