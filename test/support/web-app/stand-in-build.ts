import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { STAND_IN_SCRIPT } from './stand-in-script';

/** The files of a small web app, in the layout of a release, by path. */
export const STAND_IN_FILES: Readonly<Record<string, string>> = {
  version: '12.0\n',
  'webpack-stats-production.json': JSON.stringify({
    status: 'done',
    chunks: {
      app: ['runtime.0123456789abcdef0123.js', 'app.0123456789abcdef0123.css', 'app.fedcba98765432100123.js'],
      other: ['other.js'],
    },
  }),
  'staticfiles.json': JSON.stringify({
    paths: { 'images/mark.svg': 'images/mark.0123456789ab.svg' },
    version: '1.1',
  }),
  'locale/language_name_map.json': JSON.stringify({
    name_map: [
      { code: 'en', locale: 'en', name: 'English' },
      { code: 'de', locale: 'de', name: 'Deutsch', percent_translated: 99 },
      { code: 'pt-br', locale: 'pt_BR', name: 'Português brasileiro', percent_translated: 50 },
    ],
  }),
  'locale/de/translations.json': JSON.stringify({ 'Load more': 'Mehr laden', Reload: 'Neu laden' }),
  'locale/pt_BR/translations.json': JSON.stringify({ Reload: 'Recarregar' }),
  'prod-static/serve/webpack-bundles/runtime.0123456789abcdef0123.js':
    'window.standIn = { started: true };\n',
  'prod-static/serve/webpack-bundles/app.fedcba98765432100123.js': STAND_IN_SCRIPT,
  'prod-static/serve/webpack-bundles/app.0123456789abcdef0123.css': 'body { color: rgb(1, 2, 3); }\n',
  'prod-static/serve/webpack-bundles/5xx.html': '<script>document.title = "ran"</script>\n',
  'prod-static/serve/images/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>\n',
  'prod-static/serve/images/favicon.png': 'not looked at\n',
  'prod-static/serve/images/mark.0123456789ab.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'templates/zerver/meta.html': '<meta name="stand-in" content="{{ color_scheme }}" />',
  'templates/zerver/app/index.html': `{% extends "zerver/base.html" %}
{% set PAGE_TITLE = _("A page of {name}").format(name=realm_name) %}
{# A page of our own. #}
This stands outside of every block.
{% block meta_viewport %}
<meta name="viewport" content="width=device-width{% if is_firefox_android %}, interactive-widget=resizes-content{% endif %}" />
{% endblock %}
{% block customhead %}
{% include 'zerver/meta.html' %}
{% if enable_gravatar -%}<link rel="dns-prefetch" href="https://pictures.example" />{% endif %}
<link rel="apple-touch-icon" href="{{ static('images/mark.svg') }}" />
<style>#loading { color: gray }</style>
{% endblock %}
{% block content %}
{% if has_web_public_streams %}open{% elif embedded %}embedded{% else %}<!-- closed -->{% endif %}
<p id="loading">{% trans %}<a class="reload-lnk" href="">Reload</a> the page.{% endtrans %}</p>
<button id="more" data-text="{{ _('Load more') }}" {% if not embedded %}data-alone{% endif %}></button>
<script nonce="{{ csp_nonce }}">document.documentElement.dataset.inline = 'ran';</script>
<main><pre id="report"></pre><ul id="messages"></ul><input id="file" type="file" /></main>
<form id="logout_form" action="/accounts/logout/" method="POST">{{ csrf_input }}</form>
{% endblock %}
`,
};

/** A folder with a web app, which is removed at the end. */
export class StandInBuild {
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-web-app-'));

  /** @param changes overridden files; null for a missing one */
  constructor(changes: Readonly<Record<string, string | null>> = {}) {
    for (const [path, content] of Object.entries({ ...STAND_IN_FILES, ...changes })) {
      if (content === null) continue;
      const file = join(this.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
