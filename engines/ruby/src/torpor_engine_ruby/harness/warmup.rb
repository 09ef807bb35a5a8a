# Loads and tries what people use first, so that every context starts with it in its base image.
#
# Only at boot. Leaves no name and no file behind.

module Torpor
  module Warmup
    LIBRARIES = %w[
      English base64 benchmark cgi/escape csv date delegate did_you_mean digest digest/sha2 erb
      fileutils find forwardable json logger monitor observer open3 optparse ostruct pathname pp psych
      random/formatter securerandom set shellwords singleton stringio strscan tempfile time timeout tmpdir tsort
      uri weakref yaml
    ].freeze
    # Ruby's bundled gems lie in the module, where only RubyGems would find them, which takes long to load. These
    # work in the sandbox.
    GEMS = "/usr/local/lib/ruby/gems/4.0.0/gems"
    GEM_NAMES = %w[
      abbrev base64 benchmark csv getoptlong logger matrix minitest mutex_m observer ostruct power_assert prime
      pstore rake rexml rss
    ].freeze

    def self.run
      $LOAD_PATH.concat(Dir.glob("#{GEMS}/{#{GEM_NAMES.join(",")}}-*/lib"), [World::FALLBACK_FOLDER])
      LIBRARIES.each { |name| require name }
      exercise
      serve
      ::Process.warmup
      fill_holes
    end

    # Bytes of a slot that a string's text cannot have: its header, its length and a zero.
    STRING_OVERHEAD = 20
    # More strings than one size of slot can have holes.
    MOST_HOLES = 20_000

    # Loading leaves free slots all over the heap, and an execution would write to a page here and a page there
    # for each object it makes. They are filled for good, so that new objects lie side by side.
    def self.fill_holes
      ::GC.disable
      @filling = ::GC.stat_heap.keys.flat_map do |heap|
        size = ::GC.stat_heap(heap, :slot_size) - STRING_OVERHEAD
        pages = ::GC.stat_heap(heap, :heap_eden_pages)
        (1..MOST_HOLES).lazy.map { "-" * size }.take_while { ::GC.stat_heap(heap, :heap_eden_pages) == pages }.to_a
      end
      ::GC.enable
    end

    # Executions of every kind, as the user's will be; `forget` undoes what they leave.
    def self.serve
      limits = { "resultBytes" => 1000, "results" => 1, "messageChars" => 1000, "tracebackLines" => 10 }
      ["1 + 1", "{ a: [1, 2.5, nil] }", "raise 'x'", "x =", "nil.y", "[].frozen? || return"].each do |code|
        Execution.execute(code, "<cell 1>", limits)
      end
      Completion.complete("JSON.gen", 8)
      Execution.forget
    end

    # The usual paths once: what is made lazily is made now, before the image is taken.
    def self.exercise
      JSON.parse(JSON.generate({ a: [1, 2.5, nil, "é"] }))
      YAML.load({ "a" => [1] }.to_yaml)
      Time.parse("2024-01-01 00:00").strftime("%F")
      ::Date.new(2024, 1, 1).to_s
      "a,b".split(",").map(&:upcase).join("-").gsub(/a/i) { |m| m.downcase }.encode("UTF-16LE").encode("UTF-8")
      format("%05.2f %s", 1.5, [1, { b: 2 }].inspect)
      SecureRandom.hex
      Integer("x")
    rescue ArgumentError => error
      error.full_message(highlight: false)
    end
  end
end
