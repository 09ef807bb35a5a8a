# Runs a session in this Ruby as irb does: entry by entry in one binding, values shown by `inspect`. Reads the
# sources from a JSON file (first argument) and writes one JSON line for each to a second file; NUL on both
# streams ends what an entry printed.
require "json"

sources_path, results_path = ARGV
ARGV.clear
sources = JSON.parse(File.read(sources_path)).fetch("sources")

sources.each.with_index(1) do |source, number|
  begin
    value = TOPLEVEL_BINDING.eval(source, "<cell #{number}>", 1)
    TOPLEVEL_BINDING.local_variable_set(:_, value)
    outcome = { value: value.nil? ? nil : value.inspect, error: nil, message: nil }
  rescue Exception => error # everything that ends an entry is its outcome
    outcome = { value: nil, error: error.class.name, message: error.message }
  end
  $stdout.flush
  [STDOUT, STDERR].each { |stream| stream.write("\0"); stream.flush }
  File.write(results_path, "#{JSON.generate(outcome)}\n", mode: "a")
end
