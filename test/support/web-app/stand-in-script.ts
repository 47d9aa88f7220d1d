/**
 * A small web app that uses its server like a large one: it reads its parameters, identifies its user, follows events,
 * sends, uploads in pieces, and shows the results.
 */
export const STAND_IN_SCRIPT = `'use strict';
const holder = document.querySelector('#page-params');
const parameters = JSON.parse(holder.dataset.params);
holder.remove();
const token = document.querySelector('#logout_form input').value;
const shown = {};
const show = (more) => {
  Object.assign(shown, more);
  document.querySelector('#report').textContent = JSON.stringify(shown);
};

async function call(method, path, values = {}) {
  const text = new URLSearchParams(Object.entries(values).map(([name, value]) =>
    [name, typeof value === 'string' ? value : JSON.stringify(value)]));
  const isGet = method === 'GET';
  const response = await fetch('/json' + path + (isGet ? '?' + text : ''), {
    method,
    headers: { 'X-CSRFToken': token, 'X-Requested-With': 'XMLHttpRequest' },
    ...(isGet ? {} : { body: text }),
  });
  return { status: response.status, ...(await response.json()) };
}

async function follow(queue, last) {
  for (;;) {
    const answer = await call('GET', '/events', { queue_id: queue, last_event_id: last });
    if (answer.status !== 200) return show({ ended: answer.code });
    for (const event of answer.events) {
      last = event.id;
      if (event.type !== 'message') continue;
      const item = document.createElement('li');
      item.textContent = event.message.content.replace(/<[^>]*>/g, '') + (event.flags.includes('read') ? ' (read)' : '');
      document.querySelector('#messages').append(item);
    }
  }
}

async function upload(file) {
  const TUS = { 'Tus-Resumable': '1.0.0' };
  const name = btoa(String.fromCharCode(...new TextEncoder().encode(file.name)));
  const begun = await fetch('/api/v1/tus/', {
    method: 'POST',
    headers: { ...TUS, 'Upload-Length': String(file.size), 'Upload-Metadata': 'filename ' + name + ',filetype ' + btoa(file.type) },
  });
  if (begun.status !== 201) return show({ upload: { status: begun.status, ...(await begun.json()) } });
  const place = begun.headers.get('Location');
  const half = Math.ceil(file.size / 2);
  let answer;
  for (const [from, to] of [[0, half], [half, file.size]]) {
    const asked = await fetch(place, { method: 'HEAD', headers: TUS });
    if (asked.headers.get('Upload-Offset') !== String(from)) return show({ upload: 'lost' });
    answer = await fetch(place, {
      method: 'PATCH',
      headers: { ...TUS, 'Upload-Offset': String(from), 'Content-Type': 'application/offset+octet-stream' },
      body: file.slice(from, to),
    });
  }
  const { url, filename } = await answer.json();
  const stored = await (await fetch(url)).text();
  show({ upload: { status: answer.status, filename, url, stored } });
}

async function start() {
  let state = parameters.state_data;
  if (state === null) {
    state = await call('POST', '/register', {
      apply_markdown: true,
      client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
    });
  }
  const me = await call('GET', '/users/me');
  show({
    language: parameters.request_language,
    languages: parameters.language_list.length,
    translated: parameters.translation_data['Load more'],
    me: me.full_name,
    queue: typeof state.queue_id,
    level: state.zulip_feature_level,
    people: state.realm_users.length,
    hasStreams: 'streams' in state,
    narrow: parameters.narrow,
  });
  document.querySelector('#file').addEventListener('change', (event) => upload(event.target.files[0]));
  window.standIn.call = call;
  await follow(state.queue_id, state.last_event_id);
}
start().catch((error) => show({ failed: String(error) }));
`;
