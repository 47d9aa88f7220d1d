import { readAnswer, WebhookInterface } from './call-webhook.service';

describe('the answer of a webhook', () => {
  const read = (body: string, format: number = WebhookInterface.own) => readAnswer(format, Buffer.from(body));

  it.each([
    ['content', '{"content": "**Hi**"}', '**Hi**'],
    ['response_string', '{"response_string": "Hi"}', 'Hi'],
    ['content rather than response_string', '{"response_string": "a", "content": "b"}', 'b'],
    ['response_string where content is null', '{"response_string": "a", "content": null}', 'a'],
  ])('says what is in %s', (_key, body, reply) => {
    expect(read(body)).toEqual({ reply });
  });

  it.each([
    '',
    ' \n',
    '{}',
    '{"response_not_required": true, "content": "x"}',
    '{"content": " "}',
    '{"text": "x"}',
    '{"widget_content": "{}"}',
  ])('says nothing with %j', (body) => {
    expect(read(body)).toEqual({ reply: null });
  });

  it.each(['OK', '[]', '"content"', 'null', '7', '{"content": "x"', '\u0000'])(
    'is at fault with %j',
    (body) => {
      expect(read(body)).toEqual({ fault: 'the response is not a JSON object' });
    },
  );

  it.each(['{"content": 7}', '{"content": {"a": "b"}}', '{"content": true}'])(
    'is at fault with %s',
    (body) => {
      expect(read(body)).toEqual({ fault: '`content` in the response is not a string' });
    },
  );

  it('has its text elsewhere in the format of Slack', () => {
    expect(read('{"text": "Hi", "content": "no"}', WebhookInterface.slack)).toEqual({ reply: 'Hi' });
    expect(read('{"content": "no"}', WebhookInterface.slack)).toEqual({ reply: null });
  });
});
