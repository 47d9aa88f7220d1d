import { join, relative } from 'node:path';
import * as ts from 'typescript';
import { docstringOf, type Docstring } from './docstrings';

const root = join(__dirname, '../..');
const SCRIPTS_STOP = 'The sources of the server cannot be read';

/** The source of a route's handler. */
export interface HandlerSource {
  /** Type of its result, with promises and deferred answers unwrapped. */
  readonly answer: ts.Type;
  readonly docstring: Docstring;
  /** Tags of the docstring with their text, such as `@answers 409 still referenced`. */
  readonly tags: readonly { readonly name: string; readonly text: string }[];
  /** Folder of the feature, or null for a part of the platform. */
  readonly feature: string | null;
}

/** A kind of event declared in the source. */
export interface EventSource {
  readonly type: string;
  readonly op: string | null;
  readonly payload: ts.Type;
  readonly docstring: Docstring;
}

/** The sources of the server, as parsed by the compiler. */
export class ServerProgram {
  readonly checker: ts.TypeChecker;
  private readonly program: ts.Program;
  private readonly classes = new Map<string, ts.ClassDeclaration>();

  constructor() {
    this.program = createProgram();
    this.checker = this.program.getTypeChecker();
    for (const file of this.files()) {
      for (const statement of file.statements) {
        if (ts.isClassDeclaration(statement) && statement.name) {
          this.classes.set(statement.name.text, statement);
        }
      }
    }
  }

  /** @throws Error for an unknown class or method */
  handler(controller: string, method: string): HandlerSource {
    const { checker } = this;
    const declaration = this.classNamed(controller);
    const member = declaration.members.find(
      (candidate) => ts.isMethodDeclaration(candidate) && candidate.name.getText() === method,
    ) as ts.MethodDeclaration | undefined;
    const signature = member && checker.getSignatureFromDeclaration(member);
    if (!member || !signature) throw new Error(`${controller} has no method ${method}`);
    const symbol = checker.getSymbolAtLocation(member.name);
    const path = relative(join(root, 'src/features'), declaration.getSourceFile().fileName);
    return {
      answer: answerOf(signature, checker),
      docstring: docstringOf(symbol, checker),
      tags: (symbol?.getJsDocTags(checker) ?? []).map(({ name, text }) => ({
        name,
        text: ts.displayPartsToString(text).replace(/\s+/g, ' ').trim(),
      })),
      feature: path.startsWith('..') ? null : (path.split('/')[0] ?? null),
    };
  }

  /** The docstring of a property of a class, including inherited ones. */
  propertyDocstring(className: string, property: string): string {
    const symbol = this.checker.getTypeAtLocation(this.classNamed(className)).getProperty(property);
    return docstringOf(symbol, this.checker).text;
  }

  /** The docstring of a feature's module. */
  featureDocstring(feature: string): string {
    const files = this.files().filter(({ fileName }) => fileName.includes(`/src/features/${feature}/`));
    const module = files.find(({ fileName }) => fileName.endsWith('.module.ts'));
    const declaration = module?.statements.find(ts.isClassDeclaration);
    const symbol = declaration?.name && this.checker.getSymbolAtLocation(declaration.name);
    return docstringOf(symbol, this.checker).text;
  }

  /** A named type of the server. */
  typeNamed(name: string): ts.Type {
    for (const file of this.files()) {
      for (const statement of file.statements) {
        const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
        if (isType && statement.name.text === name) return this.checker.getTypeAtLocation(statement.name);
      }
    }
    throw new Error(`There is no type ${name}`);
  }

  /** Every kind of event that a feature declares with `defineEvent`. */
  events(): EventSource[] {
    return this.callsOf('defineEvent').map((call) => {
      const [type, op] = call.arguments.filter(ts.isStringLiteral).map(({ text }) => text);
      const [payload] = call.typeArguments ?? [];
      if (type === undefined || payload === undefined)
        throw new Error(`${call.getText()} is not plain enough`);
      const declared = ts.isVariableDeclaration(call.parent) ? call.parent.name : undefined;
      const symbol = declared && this.checker.getSymbolAtLocation(declared);
      const docstring = docstringOf(symbol, this.checker);
      return { type, op: op ?? null, payload: this.checker.getTypeFromTypeNode(payload), docstring };
    });
  }

  /** Result types of the listeners to `initialState`, each with whether its keys are constant. */
  stateContributions(): ts.Type[] {
    const { checker } = this;
    return this.callsOf('stateFor').flatMap((call) => {
      const [, read] = call.arguments;
      const signatures = read ? checker.getTypeAtLocation(read).getCallSignatures() : [];
      return signatures.map((signature) => {
        const type = signature.getReturnType();
        return checker.getAwaitedType(type) ?? type;
      });
    });
  }

  /** The fields that listeners to `messageFields` add to message records, and the names of those in all records. */
  messageContributions(): { readonly types: readonly ts.Type[]; readonly inAll: readonly string[] } {
    const { checker } = this;
    const answersTo = (hook: string): ts.Type[] =>
      this.callsOf('on').flatMap((call) => {
        const [listened, listener] = call.arguments;
        if (!listener || listened?.getText() !== hook) return [];
        return checker
          .getTypeAtLocation(listener)
          .getCallSignatures()
          .map((signature) => {
            const type = signature.getReturnType();
            return checker.getAwaitedType(type) ?? type;
          });
      });
    return {
      types: answersTo('messageFields').map((map) => checker.getTypeArguments(map as ts.TypeReference)[1]!),
      inAll: answersTo('emptyMessageFields').flatMap((type) => type.getProperties().map(({ name }) => name)),
    };
  }

  private callsOf(name: string): ts.CallExpression[] {
    const calls: ts.CallExpression[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        const { expression } = node;
        const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
        if (called.getText() === name) calls.push(node);
      }
      node.forEachChild(visit);
    };
    for (const file of this.files()) if (file.fileName.includes('/src/features/')) visit(file);
    return calls;
  }

  private classNamed(name: string): ts.ClassDeclaration {
    const declaration = this.classes.get(name);
    if (!declaration) throw new Error(`There is no class ${name}`);
    return declaration;
  }

  private files(): ts.SourceFile[] {
    return this.program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(root, 'src')));
  }
}

function answerOf(signature: ts.Signature, checker: ts.TypeChecker): ts.Type {
  const returned = checker.getAwaitedType(signature.getReturnType()) ?? signature.getReturnType();
  if (returned.symbol?.name !== 'LaterAnswer') return returned;
  return checker.getTypeArguments(returned as ts.TypeReference)[0]!;
}

function createProgram(): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.build.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  );
  if (!config) throw new Error(SCRIPTS_STOP);
  return ts.createProgram(config.fileNames, {
    ...config.options,
    incremental: false,
    tsBuildInfoFile: undefined,
  });
}
