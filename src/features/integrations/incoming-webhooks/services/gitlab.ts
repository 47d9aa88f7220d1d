import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import { bullets, code, joined, link, safe, SafeText } from '../reading/safe-text';
import { branchTopic, pushPost, setUp, tagPost, withQuote } from './git-text';
import { issue, mergeRequest, note, projectOf, projectUrl, userOf } from './gitlab-items';

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

/** Hooks of a whole server say what they are about in the payload. */
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

/** GitLab, gitlab.com and self-hosted. */
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
