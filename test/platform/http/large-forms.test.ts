import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Controller, Post } from '@nestjs/common';
import { Upload, UploadedFile } from '../../../src/platform/http/body/uploaded-file';
import { Parameter } from '../../../src/platform/http/parameters/parameter.decorator';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator';
import { text } from '../../../src/platform/http/parameters/text';
import { as, createHttpApp, type HttpApp } from './http-app';
import { multipart, multipartType, type Part } from './multipart';

const MIB = 1024 * 1024;
const URL_ENCODED = 'application/x-www-form-urlencoded';

class FormDto {
  @Parameter(text(), { optional: true }) topic?: string;
}

@Controller('api/v1')
class FormsController {
  @Post('form')
  form(@Parameters() input: FormDto) {
    return { input };
  }

  @Post('file')
  async file(@Upload() file: UploadedFile) {
    return { size: (await buffer(file.stream(20 * MIB))).length };
  }
}

let http: HttpApp;

beforeAll(async () => {
  http = await createHttpApp([FormsController]);
  await http.app.listen(0, '127.0.0.1');
});

afterAll(() => http.app.close());

/** Sends a body whose length nobody is told beforehand. */
async function send(path: string, type: string, body: Buffer) {
  const { port } = http.app.getHttpServer().address() as AddressInfo;
  const headers = { ...as(), 'content-type': type, 'transfer-encoding': 'chunked' };
  const call = request({ port, method: 'POST', path: `/api/v1/${path}`, headers });
  call.end(body);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: JSON.parse((await buffer(answer)).toString()) };
}

const emptyParts = (count: number) => Buffer.from('--x-test-boundary\r\n\r\n\r\n'.repeat(count));
const file: Part = { name: 'file', value: Buffer.alloc(15 * MIB), fileName: 'a' };

const tooMany = {
  status: 400,
  body: { result: 'error', msg: 'Too many parameters (limit: 500)', code: 'BAD_REQUEST' },
};
const tooLarge = {
  status: 413,
  body: { result: 'error', msg: 'Request body is too large', code: 'REQUEST_TOO_LARGE' },
};

it.each([
  ['parts without a header', 'form', multipartType, emptyParts(170_000), tooMany],
  ['20 MB of them beside a file', 'file', multipartType, emptyParts(870_000), tooMany],
  [
    'a part without a name',
    'form',
    multipartType,
    multipart([{ name: '', value: Buffer.alloc(5 * MIB) }]),
    tooLarge,
  ],
  [
    'text before the first part',
    'form',
    multipartType,
    Buffer.concat([Buffer.alloc(5 * MIB), multipart([])]),
    tooLarge,
  ],
  [
    'text beside a file',
    'file',
    multipartType,
    Buffer.concat([Buffer.alloc(5 * MIB), multipart([file])]),
    tooLarge,
  ],
  [
    'a part after a file',
    'file',
    multipartType,
    multipart([file, { name: '', value: Buffer.alloc(5 * MIB) }]),
    tooLarge,
  ],
  ['separators and nothing else', 'form', URL_ENCODED, Buffer.alloc(4 * MIB, '&'), tooMany],
])('refuses a form that is filled up with %s, and soon', async (_what, path, type, body, answer) => {
  const before = process.cpuUsage();
  await expect(send(path, type, body)).resolves.toEqual(answer);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(3); // it took ten and more
});

it('takes as many parts as there may be, and a file of any size beside them', async () => {
  const fields = Array.from({ length: 499 }, (_, index) => ({ name: `p${index}`, value: '' }));
  const answer = await send('file', multipartType, multipart([...fields, file]));
  expect(answer.body).toMatchObject({ result: 'success', size: 15 * MIB });
});
