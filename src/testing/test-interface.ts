/** The test interface refused a request, or the server has gone. */
class TestInterfaceError extends Error {}

/** Asks the test interface of a server. */
export class TestInterface {
  constructor(private readonly url: string) {}

  get<Result>(path: string, parameters: object = {}): Promise<Result> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) query.set(name, String(value));
    }
    return this.send('GET', query.size > 0 ? `${path}?${query.toString()}` : path);
  }

  post<Result>(path: string, body: object = {}): Promise<Result> {
    return this.send('POST', path, body);
  }

  delete<Result>(path: string): Promise<Result> {
    return this.send('DELETE', path);
  }

  private async send<Result>(method: string, path: string, body?: object): Promise<Result> {
    const response = await fetch(`${this.url}/test${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { msg?: string };
    if (!response.ok)
      throw new TestInterfaceError(`${method} /test${path}: ${answer.msg ?? response.status}`);
    return answer as Result;
  }
}
