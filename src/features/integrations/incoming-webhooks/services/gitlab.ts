import {
  assignedTo,
  branchesOf,
  branchTopic,
  itemLink,
  itemTopic,
  pushPost,
  setUp,
  shortHash,
  tagPost,
  withQuote,
} from './git-text';
import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bullets, code, joined, link, safe, SafeText } from '../reading/safe-text';

/** The acting user: at the top level in push hooks, in an object in all others. */
const userOf = (payload: Payload) => payload.firstText('user.name', 'user_name', 'user.username');

/** Name of the project. */
const projectOf = (payload: Payload) => payload.firstText('project.name', 'repository.name', 'project_name');

/** URL of the project. */
const projectUrl = (payload: Payload) =>
  payload.textOr('project.web_url', payload.textOr('repository.homepage', ''));

/** Verbs for GitLab's actions on issues and merge requests. */
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

/** Whether topics of merge requests include their titles. */
const hasTitles = (call: IntegrationCall) => call.option('use_merge_request_title') !== 'false';

/** Removes HTML comments, which are frequent in description templates. Never searches past the next `<!--`. */
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
function issue(call: IntegrationCall, header: string): IntegrationPost {
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
function mergeRequest(call: IntegrationCall): IntegrationPost {
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

/** Commentable items: their key in the payload, and their name in sentences. */
const NOTED: Readonly<Record<string, { readonly at: string; readonly kind: string }>> = {
  MergeRequest: { at: 'merge_request', kind: 'MR' },
  Issue: { at: 'issue', kind: 'issue' },
  Snippet: { at: 'snippet', kind: 'snippet' },
};

/** A comment. */
function note(call: IntegrationCall, header: string): IntegrationPost {
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
  // Not every hook has the URL of the item; that of the comment is on the same page.
  const url = item.url || payload.text('object_attributes.url').replace(/#.*$/, '');
  return { event, topic, content: withQuote(safe`${did} ${itemLink({ ...item, url })}`, text) };
}

const NO_COMMIT = /^0+$/;

const branchOf = (ref: string) => ref.replace(/^refs\/(?:heads|tags)\//, '');

function push(call: IntegrationCall): IntegrationPost | null {
  const { payload } = call;
  const branch = branchOf(payload.text('ref'));
  if (!call.optionNames('branches', branch)) return null;
  const [before, after] = [payload.text('before'), payload.text('after')];
  const isDeleted = NO_COMMIT.test(after);
  return pushPost('Push Hook', {
    repository: projectOf(payload),
    branch,
    user: userOf(payload),
    url: isDeleted ? projectUrl(payload) : `${projectUrl(payload)}/-/compare/${before}...${after}`,
    commits: payload.list('commits').map((commit) => ({
      message: commit.text('message'),
      url: commit.text('url'),
      hash: commit.text('id'),
      author: commit.text('author.name'),
    })),
    total: payload.has('total_commits_count') ? payload.number('total_commits_count') : undefined,
    isDeleted,
  });
}

function tag({ payload }: IntegrationCall): IntegrationPost {
  const name = branchOf(payload.text('ref'));
  return tagPost('Tag Push Hook', {
    repository: projectOf(payload),
    user: userOf(payload),
    tag: name,
    url: `${projectUrl(payload)}/-/tags/${name}`,
    isGone: !payload.has('checkout_sha'),
  });
}

function wiki(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const action = payload.text('object_attributes.action');
  const page = link(
    `wiki page "${payload.text('object_attributes.title')}"`,
    payload.text('object_attributes.url'),
  );
  const did = action === 'create' ? 'created' : action === 'delete' ? 'deleted' : 'updated';
  return {
    event: `Wiki Page Hook ${action}`,
    topic: projectOf(payload),
    content: safe`${userOf(payload)} ${did} ${page}.`,
  };
}

function stateOf(status: string): string {
  if (status === 'created') return 'was created';
  if (status === 'pending') return 'was created';
  return status === 'running' ? 'started' : `changed status to ${status}`;
}

function job({ payload }: IntegrationCall, header: string): IntegrationPost {
  const name = link(
    payload.text('build_name'),
    `${projectUrl(payload)}/-/jobs/${payload.textOr('build_id', '')}`,
  );
  const content = safe`Job ${name} of stage ${payload.text('build_stage')} ${stateOf(payload.text('build_status'))}.`;
  return { event: header, topic: branchTopic(projectOf(payload), payload.text('ref')), content };
}

function pipeline({ payload }: IntegrationCall): IntegrationPost {
  const attributes = payload.object('object_attributes');
  const id = attributes.text('id');
  const head = safe`${link(`Pipeline #${id}`, attributes.textOr('url', `${projectUrl(payload)}/-/pipelines/${id}`))} ${stateOf(attributes.text('status'))}`;
  const jobs = payload.list('builds').map((build) => {
    const named = link(build.text('name'), `${projectUrl(payload)}/-/jobs/${build.textOr('id', '')}`);
    const file = build.textOr('artifacts_file.filename', '');
    const artifacts = `${projectUrl(payload)}/-/jobs/${build.textOr('id', '')}/artifacts`;
    const about =
      file === ''
        ? safe``
        : safe` (${code(file)}: ${link('browse', `${artifacts}/browse`)}, ${link('download', `${artifacts}/download`)})`;
    return safe`${named}: ${build.textOr('status', 'unknown')}${about}`;
  });
  const content =
    jobs.length === 0 ? safe`${head}.` : joined([safe`${head}, with these jobs:`, bullets(jobs)], '\n');
  return { event: 'Pipeline Hook', topic: branchTopic(projectOf(payload), attributes.text('ref')), content };
}

function release({ payload }: IntegrationCall): IntegrationPost {
  const isGone = payload.is('action', 'delete');
  const name = payload.firstText('name', 'tag');
  const did = isGone ? 'deleted' : payload.is('action', 'update') ? 'updated' : 'created';
  const sentence = safe`Release ${isGone ? name : link(name, payload.text('url'))} for tag ${payload.text('tag')} was ${did}`;
  return {
    event: 'Release Hook',
    topic: projectOf(payload),
    content: withQuote(sentence, isGone ? '' : payload.textOr('description', '')),
  };
}

const READERS: Readonly<Record<string, (call: IntegrationCall, header: string) => IntegrationPost | null>> = {
  'Push Hook': push,
  'Tag Push Hook': tag,
  'Issue Hook': issue,
  'Confidential Issue Hook': issue,
  'Merge Request Hook': mergeRequest,
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Wiki Page Hook': wiki,
  'Job Hook': job,
  'Build Hook': job,
  'Pipeline Hook': pipeline,
  'Release Hook': release,
  'Test Hook': ({ payload }) => ({
    event: 'Test Hook',
    topic: projectOf(payload),
    content: setUp('GitLab', payload.textOr('user_name', '')),
  }),
};

/** Event headers by the kind in the payload, for system hooks of a whole server. */
const SYSTEM_HOOKS: Readonly<Record<string, string>> = {
  push: 'Push Hook',
  tag_push: 'Tag Push Hook',
  merge_request: 'Merge Request Hook',
  issue: 'Issue Hook',
  note: 'Note Hook',
  wiki_page: 'Wiki Page Hook',
  build: 'Job Hook',
  pipeline: 'Pipeline Hook',
  release: 'Release Hook',
};

function read(call: IntegrationCall): IntegrationPost | null {
  const { payload } = call;
  let header = call.eventHeader('X-GitLab-Event');
  if (header === 'System Hook') {
    const name = payload.firstText('event_name', 'object_kind');
    header = Object.hasOwn(SYSTEM_HOOKS, name) ? (SYSTEM_HOOKS[name] ?? name) : `System Hook ${name}`;
  }
  const reader = Object.hasOwn(READERS, header) ? READERS[header] : undefined;
  if (!reader) throw call.unsupported(header);
  const post = reader(call, header);
  if (!post || call.option('topic') === null) return post;
  const project = new SafeText(link(`[${projectOf(payload)}]`, projectUrl(payload)).source);
  return { ...post, content: safe`${project} ${post.content}` };
}

/** GitLab, both gitlab.com and self-hosted. */
export const GITLAB: Integration = {
  name: 'gitlab',
  displayName: 'GitLab',
  about: 'Pushes, merge requests, issues, comments, wiki pages, releases, jobs and pipelines.',
  events: [
    'Push Hook',
    'Tag Push Hook',
    ...['Issue Hook', 'Confidential Issue Hook'].flatMap((hook) =>
      ['open', 'close', 'reopen', 'update'].map((action) => `${hook} ${action}`),
    ),
    ...['open', 'close', 'reopen', 'update', 'merge', 'approved', 'approval', 'unapproved', 'unapproval'].map(
      (action) => `Merge Request Hook ${action}`,
    ),
    ...['Commit', 'MergeRequest', 'Issue', 'Snippet'].map((noted) => `Note Hook ${noted}`),
    'Confidential Note Hook Issue',
    'Wiki Page Hook create',
    'Wiki Page Hook update',
    'Wiki Page Hook delete',
    'Job Hook',
    'Build Hook',
    'Pipeline Hook',
    'Release Hook',
    'Test Hook',
  ],
  options: [
    { name: 'branches', about: 'Comma-separated branches whose pushes are reported.' },
    { name: 'use_merge_request_title', about: '`false` omits titles from topics of merge requests.' },
  ],
  read,
};
