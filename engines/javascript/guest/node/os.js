/** The `os` module: the sane constants of a machine that is a sandbox. */
import { ERRNO } from "./errors.js";
import { native } from "./native.js";
import { sinceStart } from "./performance.js";
import { process } from "./process.js";

const HOME = "/workspace";

export const os = {
  EOL: "\n",
  devNull: "/dev/null",
  arch: () => process.arch,
  availableParallelism: () => 1,
  cpus: () => [{ model: process.arch, speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }],
  endianness: () => "LE",
  freemem: () => {
    const { used, limit } = native.memory();
    return limit - used;
  },
  totalmem: () => native.memory().limit,
  getPriority: () => 0,
  setPriority() {},
  homedir: () => HOME,
  hostname: () => "sandbox",
  loadavg: () => [0, 0, 0],
  machine: () => process.arch,
  networkInterfaces: () => ({}),
  platform: () => process.platform,
  release: () => "0",
  tmpdir: () => process.env.TMPDIR ?? HOME,
  type: () => "Linux",
  uptime: () => sinceStart() / 1000,
  userInfo: () => ({ uid: 0, gid: 0, username: "root", homedir: HOME, shell: null }),
  version: () => "sandbox",
  constants: {
    signals: Object.freeze({ SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 }),
    errno: Object.freeze({ ...ERRNO }),
    priority: Object.freeze({ PRIORITY_LOW: 19, PRIORITY_NORMAL: 0, PRIORITY_HIGH: -14 }),
  },
};
