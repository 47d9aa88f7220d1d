import { Html } from '../../../../platform/pages/web-page';
import { Template, type ShellValues } from './template';

const values: ShellValues = {
  names: { yes: true, no: false, name: '<b>', markup: new Html('<i>'), none: new Html('') },
  translate: (text) => (text === 'Hello' ? 'Hallo & "du"' : text),
  addressOf: (path) => `/static/${path}?a&b`,
};

const inBlock = (text: string) => `{% block content %}${text}{% endblock %}`;
const rendered = (text: string, include: (file: string) => string | null = () => null) =>
  Template.parse('shell.html', inBlock(text), include).render('content', values).text;

describe('A template', () => {
  it.each([
    ['<p>as it is</p>', '<p>as it is</p>'],
    ['{# {{ nothing() }} #}left', 'left'],
    ['{{ name }}{{name}}{{- name -}}', '&lt;b&gt;&lt;b&gt;&lt;b&gt;'],
    ['{{ markup }}', '<i>'],
    ['[{{ unknown }}]', '[]'],
    [`{{ _('Hello') }}`, 'Hallo &amp; &quot;du&quot;'],
    [`{{ _("It's") }}`, "It's"],
    [`{{ static('a/b.svg') }}`, '/static/a/b.svg?a&amp;b'],
    ['{% trans %}\n  Hello\n{% endtrans %}', 'Hallo & "du"'],
    ['{% trans %}<a href="">Other</a>{% endtrans %}', '<a href="">Other</a>'],
    ['{% if yes %}a{% endif %}{% if no %}b{% endif %}{% if unknown %}c{% endif %}', 'a'],
    ['{% if not no %}a{% endif %}{%- if not yes -%}b{%- endif -%}', 'a'],
    ['{% if no %}a{% elif yes %}b{% else %}c{% endif %}', 'b'],
    ['{% if no %}a{% elif none %}b{% else %}c{% endif %}', 'c'],
    ['{% if yes %}a{% elif yes %}b{% else %}c{% endif %}', 'a'],
    ['{% if yes %}{% if no %}a{% else %}b{% endif %}c{% endif %}', 'bc'],
    [`{% set x = anything().at['all'] %}left`, 'left'],
  ])('%s is %s', (text, expected) => {
    expect(rendered(text)).toBe(expected);
  });

  it('includes others', () => {
    expect(rendered(`a{% include "parts/b.html" %}c`, (file) => `[${file} {{ name }}]`)).toBe(
      'a[parts/b.html &lt;b&gt;]c',
    );
  });

  it('leaves out what stands outside of blocks, and has nothing where a block is missing', () => {
    const template = Template.parse('shell.html', `{% extends "x" %}a${inBlock('b')}c`, () => null);
    expect(template.render('content', values).text).toBe('b');
    expect(template.has('content')).toBe(true);
    expect(template.has('customhead')).toBe(false);
    expect(template.render('customhead', values).text).toBe('');
  });

  it.each([
    ['{% for x in y %}', '{% for x in y %} is not understood.'],
    ['{{ a.b }}', '{{ a.b }} is not understood.'],
    ['{{ a|safe }}', '{{ a|safe }} is not understood.'],
    [`{{ _('a' + b) }}`, `{{ _('a' + b) }} is not understood.`],
    ['{% if a and b %}{% endif %}', 'the condition "a and b" is not understood.'],
    ['{% else %}', '{% else  %} is not understood.'],
    ['{% if a %}{% else %}{% else %}{% endif %}', '{% else  %} is not understood.'],
    ['{% endif %}', 'an end of "if" where none is open is not understood.'],
    ['{% if a %}{% endblock %}', 'an end of "block" where none is open is not understood.'],
    ['{% if a %}', '"if" has no end.'],
    ['{% block %}', '{% block  %} is not understood.'],
    ['{{ a', 'a mark that does not end is not understood.'],
    ['{% trans %}Hello', 'a text to be translated with something else in it is not understood.'],
    [
      '{% trans %}Hello {{ name }}{% endtrans %}',
      'a text to be translated with something else in it is not understood.',
    ],
    ['{% include "../x.html" %}', '{% include "../x.html" %} is not understood.'],
    ['{% include "gone.html" %}', '{% include "gone.html" %} is not understood.'],
  ])('with %s is refused, with the line', (text, expected) => {
    const parse = () => Template.parse('shell.html', `first\n{# of\ntwo #}\n${text}`, () => null);
    expect(parse).toThrow(`shell.html, line 4: ${expected}`);
  });

  it('that includes itself is refused', () => {
    const text = '{% include "again.html" %}';
    expect(() => Template.parse('shell.html', text, () => text)).toThrow('again.html, line 1');
  });

  it('has each block once', () => {
    expect(() => Template.parse('shell.html', inBlock('a') + inBlock('b'), () => null)).toThrow('line 1');
  });
});
