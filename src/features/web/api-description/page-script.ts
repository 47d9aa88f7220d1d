/**
 * What the page can do more where scripts run: find operations by words, and make calls, by the session of the browser or
 * with an API key, which is kept nowhere. It is a script of its own, since the policy of the page lets none stand in it.
 */
export const PAGE_SCRIPT = `'use strict';
(() => {
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const main = document.querySelector('main');
  const articles = [...main.querySelectorAll('article[data-method]')];

  // Finding.
  const texts = new Map(articles.map((article) => [article, article.querySelector('.about').textContent.toLowerCase()]));
  const links = new Map([...document.querySelectorAll('nav li')].map((item) =>
    [item.querySelector('a').getAttribute('href').slice(1), item]));
  const found = make('p', { className: 'found', role: 'status' });
  const field = make('input', { type: 'search', id: 'find', autocomplete: 'off', spellcheck: false });
  const find = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    let count = 0;
    for (const article of articles) {
      const fits = words.every((word) => texts.get(article).includes(word));
      article.hidden = !fits;
      links.get(article.id).hidden = !fits;
      if (fits) count++;
    }
    for (const group of document.querySelectorAll('nav details')) {
      const items = [...group.querySelectorAll('li')];
      group.hidden = items.length > 0 && items.every((item) => item.hidden);
      group.open = words.length > 0 && !group.hidden && items.length > 0;
    }
    found.textContent = words.length === 0 ? '' : count === 1 ? '1 operation' : count + ' operations';
  };
  field.addEventListener('input', find);
  document.querySelector('nav').prepend(make('search', {},
    make('label', { htmlFor: 'find', textContent: 'Find operations' }), field, found));
  // What somebody goes to has to be there.
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.hidden) return;
    field.value = '';
    find();
    target.scrollIntoView();
  });

  // Who calls.
  const caller = { session: null };
  const choice = (value, text) => {
    const radio = make('input', { type: 'radio', name: 'caller', value, id: 'caller-' + value });
    return { radio, line: make('p', {}, radio, ' ', make('label', { htmlFor: radio.id }, text)) };
  };
  const bySession = choice('session', 'The session of this browser');
  const byKey = choice('key', 'An API key, which this page forgets when it is closed');
  const byNobody = choice('nobody', 'Nobody in particular');
  const email = make('input', { type: 'text', id: 'caller-email', autocomplete: 'off', spellcheck: false });
  const key = make('input', { type: 'password', id: 'caller-secret', autocomplete: 'off' });
  const keyFields = make('div', { className: 'fields' },
    make('label', { htmlFor: email.id, textContent: 'E-mail address' }), email,
    make('label', { htmlFor: key.id, textContent: 'API key' }), key);
  const who = make('fieldset', { className: 'who' }, make('legend', { textContent: 'Who makes the calls that you try' }),
    bySession.line, byKey.line, keyFields, byNobody.line);
  const chosen = () => who.querySelector('input[name=caller]:checked').value;
  const settle = () => { keyFields.hidden = chosen() !== 'key'; };
  who.addEventListener('change', settle);
  byNobody.radio.checked = true;
  bySession.radio.disabled = true;
  settle();
  document.querySelector('#try').append(who);
  fetch('/api/docs/session').then((answer) => answer.json()).then((session) => {
    const label = bySession.line.querySelector('label');
    if (session.name === null) {
      label.append(': sign in first, under ', make('a', { href: '/login/?next=/api/docs', textContent: 'Sign in' }));
      return;
    }
    caller.session = session;
    label.append(': ' + session.name);
    bySession.radio.disabled = false;
    bySession.radio.checked = true;
    settle();
  }).catch(() => undefined);

  // Trying.
  let description;
  const operationOf = async ({ dataset }) => {
    description ??= fetch('/api/docs-json').then((answer) => answer.json());
    return (await description).paths[dataset.path][dataset.method];
  };
  const schemaOf = (input) => input.schema ?? input.content?.['application/json']?.schema ?? {};
  const inputsOf = ({ parameters, requestBody }) => {
    const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const inputs = parameters.filter(({ $ref, in: place }) => $ref === undefined && place !== 'header')
      .map((each) => ({ name: each.name, place: each.in, isRequired: each.required, schema: schemaOf(each) }));
    const { properties = {}, required = [] } = body?.schema ?? {};
    for (const [name, schema] of Object.entries(properties)) {
      inputs.push({ name, place: 'body', isRequired: required.includes(name), schema });
    }
    return { inputs, type };
  };
  const fieldOf = (id, { name, place, isRequired, schema }, isJsonBody) => {
    const holder = { id, name: place + ' ' + name, required: isRequired === true };
    let entry;
    if (schema.format === 'binary') entry = make('input', { ...holder, type: 'file' });
    else if (schema.enum && !isRequired) entry = make('select', holder, make('option'), ...schema.enum.map((value) => make('option', { textContent: value })));
    else if (schema.enum) entry = make('select', holder, ...schema.enum.map((value) => make('option', { textContent: value })));
    else entry = make('input', { ...holder, type: /password/.test(name) ? 'password' : 'text', autocomplete: 'off', spellcheck: false });
    const note = isRequired ? ' (required)' : '';
    return [make('label', { htmlFor: id }, name + note), entry];
  };
  const valueOf = (text, schema) => {
    if (schema.type === 'string') return text;
    try { return JSON.parse(text); } catch { return text; }
  };
  const requestOf = (article, form, { inputs, type }) => {
    const data = new FormData(form);
    let path = article.dataset.path;
    const query = new URLSearchParams();
    const fields = [];
    for (const { name, place, schema } of inputs) {
      const value = data.get(place + ' ' + name);
      if (value === null || value === '' || (value instanceof File && value.name === '')) continue;
      if (place === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value));
      else if (place === 'query') query.append(name, value);
      else fields.push([name, value, schema]);
    }
    let body;
    const headers = {};
    if (type === 'application/json') {
      headers['Content-Type'] = type;
      body = JSON.stringify(Object.fromEntries(fields.map(([name, value, schema]) => [name, valueOf(value, schema)])));
    } else if (type === 'multipart/form-data') {
      body = new FormData();
      for (const [name, value] of fields) body.append(name, value);
    } else if (type !== undefined) {
      body = new URLSearchParams(fields.map(([name, value]) => [name, value]));
    }
    const method = article.dataset.method.toUpperCase();
    const text = query.toString();
    return { url: path + (text === '' ? '' : '?' + text), method, headers, body };
  };
  const sent = ({ url, method, headers, body }) => {
    const way = chosen();
    const options = { method, headers: { ...headers }, body, credentials: 'omit', redirect: 'manual', cache: 'no-store' };
    if (way === 'session') {
      options.credentials = 'same-origin';
      options.headers['X-CSRFToken'] = caller.session.csrf_token;
      return fetch(url.replace(/^\\/api\\/v1\\//, '/json/').replace(/^\\/api\\//, '/json/companion/'), options);
    }
    if (way === 'key') {
      const bytes = new TextEncoder().encode(email.value + ':' + key.value);
      options.headers.Authorization = 'Basic ' + btoa(String.fromCharCode(...bytes));
    }
    return fetch(url, options);
  };
  const shown = async (answer) => {
    const text = await answer.text();
    const most = 200000;
    try { return JSON.stringify(JSON.parse(text), null, 2).slice(0, most); } catch { return text.slice(0, most); }
  };
  const open = async (article, button) => {
    button.setAttribute('aria-expanded', 'true');
    const wanted = inputsOf(await operationOf(article));
    const status = make('p', { className: 'outcome', role: 'status' });
    const output = make('pre', { tabIndex: 0, hidden: true });
    output.setAttribute('aria-label', 'Answer');
    const submit = make('button', { type: 'submit', textContent: 'Send' });
    const form = make('form', { className: 'attempt' }, ...wanted.inputs.flatMap((input, at) =>
      fieldOf(article.id + '-' + at, input)), submit);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      submit.disabled = true;
      status.textContent = 'Waiting for the answer …';
      try {
        const answer = await sent(requestOf(article, form, wanted));
        output.textContent = await shown(answer);
        output.hidden = output.textContent === '';
        status.textContent = answer.type === 'opaqueredirect' ? 'It leads elsewhere.' : 'Status ' + answer.status;
      } catch {
        output.hidden = true;
        status.textContent = 'There was no answer.';
      } finally {
        submit.disabled = false;
      }
    });
    button.after(make('div', { className: 'attempts' }, form, status, output));
    (form.querySelector('input, select') ?? submit).focus();
  };
  for (const article of articles) {
    const button = make('button', { type: 'button', className: 'try', textContent: 'Try it' });
    button.setAttribute('aria-expanded', 'false');
    button.setAttribute('aria-label', 'Try it: ' + article.dataset.method.toUpperCase() + ' ' + article.dataset.path);
    button.addEventListener('click', () => {
      const there = button.nextElementSibling;
      if (there === null) return void open(article, button);
      there.hidden = !there.hidden;
      button.setAttribute('aria-expanded', String(!there.hidden));
    });
    article.append(button);
  }
})();
`;
