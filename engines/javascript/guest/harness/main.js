/**
 * The harness: serves the requests that the host lays on the device.
 *
 * It lives in a realm of its own, where nothing is ever changed by users. Values of theirs are touched with care:
 * whatever looks into one may run code of theirs, and only the steps `enter` to `settle` may do that. See
 * docs/harness-protocol.md for requests and replies, shim.c for the order of the steps.
 */
import { complete } from "./completion.js";
import { Execution } from "./execution.js";
import { frame } from "./frames.js";
import { ModuleFinder } from "./modules.js";
import { Results } from "./results.js";
import { seedFrom } from "./entropy.js";

const FALLBACK_FOLDER = "/workspace";
const EXECUTE = 1;
const SERVED = 0;

/** `native` is harness.c's; the realm is what guest/main.js made. */
export default function makeHarness(native) {
  return function boot(realm) {
    const results = new Results(native, realm);
    const finder = new ModuleFinder(native, realm);
    const user = realm.connect({ ...finder.forUsers(), show: (value, raw) => results.display(value, raw) });
    finder.user = user;
    const execution = new Execution(native, realm, user, results);
    finder.rejections = execution.rejections;
    let request;

    return {
      /** Reads the request. Gives EXECUTE when the steps for code are wanted. */
      begin() {
        request = JSON.parse(native.request());
        if (request.entropy) native.seed(seedFrom(request.entropy));
        if (request.op === "execute") {
          results.begin(request.limits);
          // What the image was warmed up with is no context's last value.
          if (request.count === 1) user.keepLast(undefined);
          execution.begin(request);
          return EXECUTE;
        }
        if (request.op === "tidy") native.tidy();
        if (request.op === "complete") {
          native.reply(frame("completion", completion(native, realm, request)));
        }
        return SERVED;
      },
      /** Makes the surroundings of the execution. May meet what users did to their realm. */
      enter() {
        const { library } = realm;
        library.setEnvironment(request.env);
        library.directory.set(isFolder(native, request.cwd) ? request.cwd : FALLBACK_FOLDER);
        library.beginExecution();
      },
      start: () => execution.start(),
      ticks: () => execution.ticks(),
      advance: () => execution.advance(),
      settle: () => execution.settle(),
      /** `status`: of code that ended itself, or -1. */
      finish(status) {
        const fields = { cwd: folder(native, realm), exitStatus: null, ...execution.finish(status) };
        request = undefined;
        native.reply(frame("done", fields));
        return SERVED;
      },
      rejection: (promise, reason, isHandled) => execution.rejections.note(promise, reason, isHandled),
      uncaught: (error) => execution.uncaught(error),
      resolve: (base, specifier) => finder.resolve(base, specifier),
      load: (name) => finder.load(name),
      describe: (meta, name) => finder.describe(meta, name),
    };
  };
}

function isFolder(native, path) {
  const FORMAT = 0o170000;
  const FOLDER = 0o040000;
  try {
    return (native.stat(path)[2] & FORMAT) === FOLDER;
  } catch {
    return false;
  }
}

function folder(native, realm) {
  const path = realm.library.directory.get();
  return typeof path === "string" && isFolder(native, path) ? path : FALLBACK_FOLDER;
}

/** An offer only: whatever goes wrong, there are no matches. */
function completion(native, realm, request) {
  try {
    return complete(native, realm, request.code, request.cursor);
  } catch {
    return { matches: [], start: request.cursor };
  }
}
