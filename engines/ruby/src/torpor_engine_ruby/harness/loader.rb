# Loads the harness's files at boot, under names that Ruby keeps out of backtraces.
#
# Frames of a file named `<internal:...>` are shown where they were called from, as those of methods
# written in C are. The files make one module, `Torpor`, whose name is taken away when all are loaded:
# user code finds nothing of it. May not know what the files do.

def self.load_harness(files)
  options = { frozen_string_literal: true }
  files.each do |name, source|
    RubyVM::InstructionSequence.compile(source, "<internal:torpor/#{name}>", nil, 1, **options).eval
  end
  harness = Object.send(:remove_const, :Torpor)
  singleton_class.send(:remove_method, :load_harness)
  server = harness::Server.boot
  # Whoever finds the modules all the same (`ObjectSpace` has everything) cannot change them.
  modules = harness.constants.map { |name| harness.const_get(name) }
  modules.each { |one| one.singleton_class.freeze }
  [harness, *modules.select { |one| one.instance_variables.empty? }].each(&:freeze)
  server
rescue Exception => error
  warn error.full_message(highlight: false)
  raise
end
